import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { loadPg } from './client.ts';

test('where the client package is missing, it says what to install', async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'pg') throw new Error("Cannot find package 'pg'");
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(loadPg(), {
      code: 'store-unavailable',
      retryable: false,
      message: /npm install pg@\d/,
    });
  } finally {
    hooks.deregister();
  }
});
