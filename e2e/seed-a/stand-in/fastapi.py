"""Stands in for FastAPI where it is not installed: routes of one router over http.server.

A handler with a parameter gets the JSON body as a dict, as FastAPI gives it; its return value is
the JSON answer. Nothing else of FastAPI is here.
"""

import asyncio
import inspect
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class APIRouter:
    def __init__(self):
        self.routes = {}

    def _add(self, method, path):
        def decorator(func):
            self.routes[(method, path)] = func
            return func

        return decorator

    def get(self, path):
        return self._add("GET", path)

    def post(self, path):
        return self._add("POST", path)


def serve(router: APIRouter, port: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, method):
            func = router.routes.get((method, self.path))
            size = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(size)
            if func is None:
                return self.send(404, {"detail": "Not Found"})
            takes_body = len(inspect.signature(func).parameters) > 0
            try:
                call = func(json.loads(body)) if takes_body else func()
                self.send(200, asyncio.run(call))
            except Exception:
                self.send(500, {"detail": "Internal Server Error"})

        def send(self, status, value):
            data = json.dumps(value, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            self.answer("GET")

        def do_POST(self):
            self.answer("POST")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
