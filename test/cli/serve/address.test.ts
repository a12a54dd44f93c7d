/**
 * The addresses that `--http` takes.
 * Invariant: no address that other machines reach is taken for this machine's own.
 */
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isLoopback, isWildcard, toAddress, toUrlHost } from '../../../src/cli/serve/address';
import { forAll } from '../../fixtures/for-all';

const ports = fc.integer({ min: 0, max: 65_535 });

it('reads every host and port back from what URLs have', () => {
  const hosts = fc.oneof(fc.ipV4(), fc.ipV6().filter(isIPv6), fc.domain(), fc.constant('localhost'));
  forAll(fc.tuple(hosts, ports), ([host, port]) => {
    expect(toAddress(`${toUrlHost(host)}:${port}`)).toEqual({ host, port });
  });
});

it.each([
  '',
  ':3000',
  'localhost',
  'localhost:',
  'localhost:-1',
  'localhost:65536',
  '::1:3000',
  '[::1]',
  '[x]:1',
  '[127.0.0.1]:1',
  'a b:1',
  'http://a:1',
  'a:1/',
])('refuses %j', (text) => {
  expect(() => toAddress(text)).toThrow();
});

it('takes 127.0.0.0/8 for this machine, and no other address of IPv4', () => {
  const loopback = fc.ipV4().map((host) => host.replace(/^\d+/, '127'));
  forAll(fc.oneof(fc.ipV4(), loopback), (host) => {
    expect(isLoopback(host)).toBe(host.startsWith('127.'));
  });
});

it.each([
  ['::1', true, false],
  ['0:0:0:0:0:0:0:1', true, false],
  ['::ffff:127.0.0.1', true, false],
  ['localhost', true, false],
  ['LOCALHOST', true, false],
  ['localhost.example', false, false],
  ['127.example', false, false],
  ['0.0.0.0', false, true],
  ['::', false, true],
  ['0:0:0:0:0:0:0:0', false, true],
  ['::2', false, false],
  ['tools.example', false, false],
])('%s is this machine alone: %s; every address of it: %s', (host, alone, every) => {
  expect([isLoopback(host), isWildcard(host)]).toEqual([alone, every]);
});
