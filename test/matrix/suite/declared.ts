/**
 * What the declared tools are: in the registry, and as the model sees them.
 * Invariant: no compiler, module system or bundler changes any of it.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolkit } from 'toolcrib';
import type { Cell } from './cell.js';
import type { Check } from './checks.js';
import { textOf } from './definitions.js';
import { ANN, ORDER } from './sample-call.js';

const KEYS = [
  'orders.count@1.0.0',
  'orders.list@1.0.0',
  'orders.place@1.2.0',
  'orders.rush@2.0.0',
  'orders.status@1.0.0',
];

/** The facts that decorators left. */
export function declaring(toolkit: Toolkit): Check[] {
  const specOf = (key: string) => {
    const spec = toolkit.registry.get(key);
    assert.ok(spec !== undefined, `${key} is not registered`);
    return spec;
  };
  return [
    [
      'every tool is registered, and nothing else',
      () => {
        assert.deepEqual(
          toolkit.registry.list().map(({ key }) => key),
          KEYS,
        );
      },
    ],
    [
      '@Tool on a class: each of its options is kept',
      () => {
        const spec = specOf('orders.place@1.2.0');
        assert.equal(spec.title, 'Place an order');
        assert.equal(spec.owner, 'Sales');
        assert.deepEqual([spec.timeoutMs, spec.maxResultBytes], [5_000, 10_000]);
        assert.match(spec.idempotencyKey?.(ORDER) ?? '', /^CUS-0001 /);
      },
    ],
    [
      '@Tool on a method: @Owner, @Scopes and @SideEffect of the class are its defaults',
      () => {
        const { owner, scopes, sideEffect } = specOf('orders.status@1.0.0');
        assert.deepEqual([owner, scopes], ['Logistics', ['orders:read']]);
        assert.equal(sideEffect.kind, 'none');
      },
    ],
    [
      "@Scopes and @SideEffect on a method: they go before the class's",
      () => {
        const { scopes, sideEffect, deprecated } = specOf('orders.rush@2.0.0');
        assert.deepEqual(scopes, ['orders:write', 'orders:rush']);
        assert.deepEqual([sideEffect.kind, deprecated], ['destructive', 'orders.place']);
      },
    ],
    ['@Scopes(): anyone may call', () => assert.deepEqual(specOf('orders.count@1.0.0').scopes, [])],
    [
      'a subclass inherits no tools',
      () => {
        assert.equal(specOf('orders.list@1.0.0').source.member, 'list');
        assert.equal(toolkit.registry.list().filter(({ name }) => name === 'orders.list').length, 1);
      },
    ],
    [
      'model names come from tool names, not from classes',
      () => {
        const names = toolkit.catalog(ANN).map(({ name }) => name);
        assert.deepEqual(
          names,
          KEYS.map((key) => key.replace('.', '_').replace(/@.*/, '')),
        );
      },
    ],
  ];
}

/** The definitions, held against the committed ones. */
export function describing(toolkit: Toolkit, cell: Cell): Check[] {
  const expected: { [key: string]: Parameters<typeof textOf>[0] } = JSON.parse(
    readFileSync(join(cell.workspace, 'expected.json'), 'utf8'),
  );
  const actual = Object.fromEntries(KEYS.map((key) => [key, toolkit.describe(key)]));
  const kept = `${cell.report}.definitions.json`;
  writeFileSync(kept, JSON.stringify(actual, null, 2));
  return KEYS.map((key) => [
    `the definition of ${key} is the committed one`,
    () => {
      const [is, should] = [actual[key], expected[key]];
      assert.ok(is !== undefined && should !== undefined, `expected.json lacks ${key}; it is in ${kept}`);
      assert.equal(textOf(is, cell.renamed), textOf(should, cell.renamed), `see ${kept}`);
    },
  ]);
}
