/**
 * Holds that no two bearers share an id, whatever their issuers put into subjects and clients.
 * Invariant: issuers are those that the options take; subjects and clients are any text.
 */
import * as fc from 'fast-check';
import { issuerOf, principalOfToken } from '../../../src/mcp/auth/token-principal';
import { toIssuer } from '../../../src/mcp/auth/urls';
import { forAll } from '../../fixtures/for-all';
import { ISSUER, usual } from './made-up-resource';

/** Texts that could be taken for parts of an id. */
const part = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.stringMatching(/^(?:#|\?client_id=|\/|%23|a|b){1,4}$/),
);
const issuer = fc
  .tuple(fc.constantFrom('https://as.example', 'https://as.example/a', 'https://b.example'), part)
  .map(([base, path]) => `${base}/${path}`)
  .filter((url) => {
    try {
      return toIssuer('test', 'issuer', url) === url;
    } catch {
      return false;
    }
  });
/** A bearer: an issuer with a subject, or with a client that has none. */
const bearer = fc.record({ iss: issuer, sub: fc.option(part, { nil: undefined }), clientId: part });

type Bearer = { readonly iss: string; readonly sub: string | undefined; readonly clientId: string };

function idOf({ iss, sub, clientId }: Bearer): string | undefined {
  const extra = { iss, ...(sub === undefined ? {} : { sub }) };
  return principalOfToken({ ...usual, clientId, extra }, iss)?.id;
}

/** What tells bearers apart: a client counts only where there is no subject. */
function identityOf({ iss, sub, clientId }: Bearer): string {
  return JSON.stringify(sub === undefined ? [iss, 'client', clientId] : [iss, 'subject', sub]);
}

it('two ids are the same only where the bearers are', () => {
  forAll(
    fc.tuple(bearer, bearer),
    ([one, other]) => {
      expect(idOf(one) === idOf(other)).toBe(identityOf(one) === identityOf(other));
    },
    2_000,
  );
});

it('an id holds nothing that comes and goes with a token', () => {
  forAll(fc.tuple(bearer, fc.array(fc.string())), ([one, scopes]) => {
    const extra = { iss: one.iss, ...(one.sub === undefined ? {} : { sub: one.sub }) };
    const info = { ...usual, clientId: one.clientId, scopes, token: 'another', expiresAt: 1, extra };
    expect(principalOfToken(info, one.iss)).toEqual({ id: idOf(one), scopes });
  });
});

it.each([
  ['the only one, unsaid', undefined, [ISSUER], ISSUER],
  ['one of several', ISSUER, ['https://b.example', ISSUER], ISSUER],
  ['unsaid, of several', undefined, ['https://b.example', ISSUER], undefined],
  ['another', 'https://evil.example', [ISSUER], undefined],
  ['nearly one', `${ISSUER}/`, [ISSUER], undefined],
  ['empty', '', [ISSUER], undefined],
  ['no text', 7, [ISSUER], undefined],
])('an issuer that is %s', (_, iss, authorizationServers, expected) => {
  const extra = { sub: 'ann', ...(iss === undefined ? {} : { iss }) };
  expect(issuerOf({ ...usual, extra }, authorizationServers)).toBe(expected);
});
