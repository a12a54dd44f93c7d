/**
 * Who holds what, as an application or a file says it.
 * Invariant: grants that are read are whole: what is misspelt or of a wrong type is refused, since a grant that is
 * overlooked would make a report look safer than the application is.
 */
import { memberOf } from '../../metadata/members';

/** What one principal holds: scopes of its own, and those of its roles. */
export interface Grant {
  /** The id that calls carry as `principal.id`. */
  readonly id: string;
  readonly scopes?: readonly string[];
  /** Names of {@link Grants.roles}. */
  readonly roles?: readonly string[];
}

/** Everything that is granted. */
export interface Grants {
  readonly principals: readonly Grant[];
  /** Scopes that are granted together, by name. */
  readonly roles?: { readonly [name: string]: readonly string[] };
  /** Scopes by which the application lets somebody decide on approvals; tools need not ask for them. */
  readonly approvalScopes?: readonly string[];
}

const KEYS: readonly string[] = ['principals', 'roles', 'approvalScopes'];
const GRANT_KEYS: readonly string[] = ['id', 'scopes', 'roles'];

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The names of what an object has, also by accessors of its classes: `get scope()` is a misspelt `scopes` too. */
function keysOf(given: object): ReadonlySet<string> {
  const keys = new Set(Object.keys(given));
  let prototype: object | null = Object.getPrototypeOf(given);
  while (prototype !== null && prototype !== Object.prototype) {
    const described = new Map(Object.entries(Object.getOwnPropertyDescriptors(prototype)));
    for (const [key, { get, value }] of described) {
      if (key !== '__proto__' && (get !== undefined || typeof value !== 'function')) keys.add(key);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return keys;
}

/** Reads what is given, and collects what is wrong with it. */
class GrantsReader {
  readonly problems: string[] = [];

  read(given: unknown): Grants {
    if (!isObject(given)) {
      this.problems.push('the whole is no object');
      return { principals: [] };
    }
    this.refuseOthers('', given, KEYS);
    const roles = new Map(this.roles('roles' in given ? given.roles : undefined));
    const principals = this.list('/principals', 'principals' in given ? given.principals : undefined).map(
      (grant, index) => this.grant(`/principals/${index}`, grant, roles),
    );
    const approvalScopes = this.texts('/approvalScopes', given, 'approvalScopes');
    return { principals, roles: Object.fromEntries(roles), approvalScopes };
  }

  private roles(given: unknown): readonly (readonly [string, readonly string[]])[] {
    if (given === undefined) return [];
    if (isObject(given)) {
      const holder = new Map(Object.entries(given));
      return [...holder].map(([name, scopes]) => [name, this.texts(`/roles/${name}`, { scopes }, 'scopes')]);
    }
    this.problems.push('/roles is no object of lists of scopes');
    return [];
  }

  private grant(path: string, given: unknown, roles: ReadonlyMap<string, unknown>): Grant {
    if (!isObject(given) || !('id' in given) || !isText(given.id)) {
      this.problems.push(`${path} is no object with an id that is a text`);
      return { id: '' };
    }
    this.refuseOthers(path, given, GRANT_KEYS);
    const named = this.texts(`${path}/roles`, given, 'roles');
    for (const role of named) {
      if (!roles.has(role))
        this.problems.push(`${path}/roles names ${JSON.stringify(role)}, which is no role`);
    }
    return { id: given.id, scopes: this.texts(`${path}/scopes`, given, 'scopes'), roles: named };
  }

  private texts(path: string, holder: object, key: string): readonly string[] {
    if (!(key in holder)) return [];
    const given: unknown = memberOf(holder, key);
    const texts: readonly unknown[] | undefined = Array.isArray(given) ? Array.from(given) : undefined;
    if (texts?.every(isText)) return texts;
    this.problems.push(`${path} is no list of texts that are not empty`);
    return [];
  }

  private list(path: string, given: unknown): readonly unknown[] {
    // A place that was left empty is no entry, and must not be passed over.
    if (Array.isArray(given)) return Array.from(given);
    this.problems.push(`${path} is no list`);
    return [];
  }

  private refuseOthers(path: string, given: object, known: readonly string[]): void {
    for (const key of keysOf(given)) {
      if (known.includes(key)) continue;
      this.problems.push(`${path}/${key} is not known; there are ${known.join(', ')}`);
    }
  }
}

/**
 * Reads grants, such as those of a JSON file.
 *
 * @throws TypeError that lists everything that is wrong, by JSON Pointer (RFC 6901).
 */
export function toGrants(given: unknown): Grants {
  const reader = new GrantsReader();
  const grants = reader.read(given);
  if (reader.problems.length === 0) return grants;
  const form = '{ "principals": [{ "id": "ann", "scopes": ["orders:read"] }] }';
  throw new TypeError(`the grants cannot be read: ${reader.problems.join('; ')}. Write them as ${form}.`);
}
