/**
 * The rules for names, versions and keys.
 * Invariant: a name either has a model name that every model API takes, or a problem; never neither.
 */
import * as fc from 'fast-check';
import { parse } from 'semver';
import { toModelName, toToolKey } from 'toolcrib';
import { checkName, checkVersion, RESERVED_NAMES, splitToolReference } from '../../src/contract/names';
import { forAll } from '../fixtures/for-all';

const MODEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const legalText = fc.stringMatching(/^[A-Za-z0-9_.-]{1,80}$/);
const notText = fc
  .oneof(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.constant(Symbol('name')))
  .filter((value) => typeof value !== 'string');

describe('checkName', () => {
  it('VER-03: gives every name a model name that model APIs take, or a problem', () => {
    const names = fc.oneof(legalText, fc.string(), fc.string({ unit: 'binary' }));
    forAll(
      names,
      (name) => {
        const isTaken = checkName(name) === undefined;
        const isFit = MODEL_NAME.test(toModelName(name)) && /^[A-Za-z0-9_.-]{1,128}$/.test(name);
        expect(isTaken).toBe(isFit && !RESERVED_NAMES.has(toModelName(name)));
      },
      1000,
    );
  });

  it.each([
    'orders.lookup',
    'a',
    '_',
    '_private',
    '.hidden',
    'A-b_c.9',
    'a'.repeat(64),
    `a.${'b'.repeat(62)}`,
  ])('takes %s', (name) => {
    expect(checkName(name)).toBeUndefined();
  });

  it.each([
    ['empty', '', 'illegal_name'],
    ['a space', 'orders lookup', 'illegal_name'],
    ['an @, as in a key', 'report@1.10.0', 'illegal_name'],
    ['a slash', 'orders/lookup', 'illegal_name'],
    ['a line break at its end', 'orders.lookup\n', 'illegal_name'],
    ['other letters', 'bestellung.prüfen', 'illegal_name'],
    ['an emoji', 'orders.🔎', 'illegal_name'],
    ['a digit first', '3d.render', 'illegal_name'],
    ['a hyphen first', '-orders', 'illegal_name'],
    ['129 characters', 'a'.repeat(129), 'illegal_name'],
    ['128 characters', 'a'.repeat(128), 'model_name_too_long'],
    ['65 characters', 'a'.repeat(65), 'model_name_too_long'],
  ])('refuses a name with %s', (_what, name, code) => {
    expect(checkName(name)?.code).toBe(code);
  });

  it.each([...RESERVED_NAMES, '..proto..', '._proto__'])('refuses %s, also as a model name', (name) => {
    expect(checkName(name)?.code).toBe('reserved_name');
  });

  it('has a problem, and never throws, for whatever is no text', () => {
    forAll(notText, (value) => checkName(value)?.code === 'illegal_name');
  });
});

describe('checkVersion', () => {
  const number = fc.nat({ max: 1_000_000 });
  const identifier = fc.oneof(
    fc.nat({ max: 99 }).map(String),
    fc.stringMatching(/^[a-zA-Z-][0-9a-zA-Z-]{0,6}$/),
  );

  it('takes every full version of SemVer 2.0.0 that has no build metadata', () => {
    const version = fc
      .tuple(number, number, number, fc.array(identifier, { maxLength: 3 }))
      .map(
        ([major, minor, patch, tags]) =>
          `${major}.${minor}.${patch}${tags.length ? `-${tags.join('.')}` : ''}`,
      );
    forAll(version, (text) => checkVersion(text) === undefined);
  });

  it('takes no text that is written otherwise than SemVer writes it', () => {
    forAll(
      fc.string({ unit: fc.constantFrom(...'019.-+vabx ') }),
      (text) => {
        expect(checkVersion(text) === undefined).toBe(parse(text)?.version === text);
      },
      1000,
    );
  });

  it.each([
    '',
    '1',
    '1.0',
    'v1.0.0',
    '=1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    '01.0.0',
    '1.0.0-01',
    '1.0.0+build',
    '^1.0.0',
  ])('refuses %p', (version) => {
    expect(checkVersion(version)?.code).toBe('illegal_version');
  });

  it('has a problem, and never throws, for whatever is no text', () => {
    forAll(notText, (value) => checkVersion(value)?.code === 'illegal_version');
  });
});

describe('keys', () => {
  it('come apart into what they were made of', () => {
    const version = fc.constantFrom('1.0.0', '1.10.0', '2.0.0-beta.1');
    forAll(fc.tuple(legalText, version), ([name, text]) => {
      expect(splitToolReference(toToolKey(name, text))).toEqual({ name, version: text });
      expect(splitToolReference(name)).toEqual({ name, version: undefined });
    });
  });

  it('are a name and a version with an @ between', () => {
    expect(toToolKey('orders.lookup', '1.0.0')).toBe('orders.lookup@1.0.0');
    expect(splitToolReference('orders.lookup@^1')).toEqual({ name: 'orders.lookup', version: '^1' });
  });

  it('do not start with an @', () => {
    expect(splitToolReference('@1.0.0')).toEqual({ name: '@1.0.0', version: undefined });
  });
});
