"""An agent of seed A: its SDK sample, unchanged (reach_sdk.py), and one capability on it.

Runs under FastAPI and uvicorn where they are installed, else under the stand-in beside it, which
gives `fastapi` and `requests` just what the sample uses. Prints its port when it listens.

    python3 order_agent.py [port]
"""

import pathlib
import sys

try:
    import fastapi
    import requests  # noqa: F401  The sample imports it.
    import uvicorn
except ImportError:
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "stand-in"))
    import fastapi

    uvicorn = None

from reach_sdk import reach_ability, router

ORDERS = {"ORD202501180001": ("shipped", "2026-11-30T18:00:00+08:00")}


@reach_ability("query_order_status", "根据订单号查询订单实时状态，返回订单当前节点和预计发货时间")
async def query_order_status(payload: dict):
    status, ships = ORDERS.get(payload["order_no"], ("unknown", ""))
    return {"status": status, "estimated_ship_time": ships}


@router.get("/health")
async def health():
    return {"status": "ok"}


def main(port: int) -> None:
    if uvicorn is None:
        fastapi.serve(router, port)
        return
    app = fastapi.FastAPI()
    app.include_router(router)
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning")
    sock = config.bind_socket()
    print(sock.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[sock])


main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
