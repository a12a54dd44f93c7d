/**
 * Grants as they are read.
 * Invariant: what is not whole is refused with every place that is wrong, and nothing is dropped in silence.
 */
import { toGrants } from 'toolcrib/audit';

class Row {
  readonly #scopes: readonly string[];
  constructor(scopes: readonly string[]) {
    this.#scopes = scopes;
  }
  get id(): string {
    return 'ann';
  }
  get scopes(): readonly string[] {
    return this.#scopes;
  }
  save(): void {}
}

class FieldRow {
  readonly id = 'ann';
  private readonly _scopes: readonly string[];
  constructor(scopes: readonly string[]) {
    this._scopes = scopes;
  }
  get scopes(): readonly string[] {
    return this._scopes;
  }
}

class Misspelt {
  readonly id = 'ann';
  get scope(): readonly string[] {
    return ['a'];
  }
}

/** A row whose accessors are those of the class that it comes from. */
class Later extends Row {}

it.each([Row, Later])('reads the accessors of instances: %p', (Kind) => {
  expect(toGrants({ principals: [new Kind(['a', 'b'])] }).principals).toEqual([
    { id: 'ann', scopes: ['a', 'b'], roles: [] },
  ]);
});

it('reads what is whole', () => {
  const given = JSON.parse(
    '{"roles":{"__proto__":["a"]},"principals":[{"id":"__proto__","roles":["__proto__"],"scopes":["b"]}],"approvalScopes":["c"]}',
  );
  expect(JSON.parse(JSON.stringify(toGrants(given)))).toEqual(given);
});

it.each<[string, unknown, string]>([
  ['a list', [], 'the whole'],
  ['null', null, 'the whole'],
  ['no principals', {}, '/principals'],
  ['another key', { principals: [], principal: [] }, '/principal '],
  ['a principal without an id', { principals: [{ scopes: [] }] }, '/principals/0'],
  ['an empty id', { principals: [{ id: '' }] }, '/principals/0'],
  ['another key of a principal', { principals: [{ id: 'ann', scope: 'a' }] }, '/principals/0/scope'],
  ['scopes that are a text', { principals: [{ id: 'ann', scopes: 'a b' }] }, '/principals/0/scopes'],
  ['an empty scope', { principals: [{ id: 'ann', scopes: [''] }] }, '/principals/0/scopes'],
  ['a role that is not there', { principals: [{ id: 'ann', roles: ['desk'] }] }, '/principals/0/roles'],
  ['roles that are a list', { principals: [], roles: ['desk'] }, '/roles'],
  ['a role that is no list', { principals: [], roles: { desk: 'a' } }, '/roles/desk'],
  ['an empty place among the principals', { principals: Array(1) }, '/principals/0'],
  ['an empty place among scopes', { principals: [{ id: 'ann', scopes: Array(1) }] }, '/principals/0/scopes'],
  ['scopes that are undefined', { principals: [{ id: 'ann', scopes: undefined }] }, '/principals/0/scopes'],
  ['null for scopes', { principals: [{ id: 'ann', scopes: null }] }, '/principals/0/scopes'],
  ['a set of scopes', { principals: [{ id: 'ann', scopes: new Set(['a']) }] }, '/principals/0/scopes'],
  ['a field that holds the scopes', { principals: [new FieldRow(['a'])] }, '/principals/0/_scopes'],
  ['an accessor that is misspelt', { principals: [new Misspelt()] }, '/principals/0/scope'],
  ['approvalScopes that are no list', { principals: [], approvalScopes: 'a' }, '/approvalScopes'],
])('refuses %s', (_, given, place) => {
  expect(() => toGrants(given)).toThrow(TypeError);
  expect(() => toGrants(given)).toThrow(place);
});

it('tells all that is wrong at once', () => {
  const given = { principals: [{ id: 1 }, { id: 'ann', scopes: [1] }], more: 1 };
  expect(() => toGrants(given)).toThrow(/\/more.*\/principals\/0.*\/principals\/1\/scopes/);
});
