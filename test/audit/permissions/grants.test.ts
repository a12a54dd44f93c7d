/**
 * Grants as they are read.
 * Invariant: what is not whole is refused with every place that is wrong, and nothing is dropped in silence.
 */
import { toGrants } from 'toolcrib/audit';

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
  ['approvalScopes that are no list', { principals: [], approvalScopes: 'a' }, '/approvalScopes'],
])('refuses %s', (_, given, place) => {
  expect(() => toGrants(given)).toThrow(TypeError);
  expect(() => toGrants(given)).toThrow(place);
});

it('tells all that is wrong at once', () => {
  const given = { principals: [{ id: 1 }, { id: 'ann', scopes: [1] }], more: 1 };
  expect(() => toGrants(given)).toThrow(/\/more.*\/principals\/0.*\/principals\/1\/scopes/);
});
