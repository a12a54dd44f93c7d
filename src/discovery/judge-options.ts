/**
 * Judges what `@Tool`, `@Scopes` and `@SideEffect` were given.
 * Invariant: nothing is mended in silence; an option of the wrong kind, or an unknown one, is a problem.
 */
import { inspect } from 'node:util';
import { hush } from '../contract/hush';
import type { ErrorMapping } from '../contract/mapping';
import { checkName, checkVersion } from '../contract/names';
import type { SideEffectDeclaration, SideEffectKind } from '../contract/tool';
import type {
  DeclarationPlace,
  DeclarationProblem,
  DeclarationProblemCode,
} from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import type { DeclaredSideEffect, DeclaredTool } from '../metadata/tool-facts';

const OPTIONS: readonly string[] = [
  'name',
  'version',
  'description',
  'title',
  'owner',
  'input',
  'output',
  'timeoutMs',
  'maxResultBytes',
  'idempotencyKey',
  'compensation',
  'mapError',
  'preview',
  'deprecated',
];
const KINDS: readonly SideEffectKind[] = ['none', 'write', 'destructive'];
/** RFC 6749, section 3.3: scope-token. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Shows a value that an author wrote. */
function show(value: unknown): string {
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
}

/** Two calls with no key of their own would count as one. */
function toKey(made: unknown): string {
  if (typeof made === 'string' && made !== '') return made;
  hush(made);
  throw new TypeError('idempotencyKey gave no text');
}

/** Collects the problems of one declaration. */
export class Judge {
  readonly problems: DeclarationProblem[] = [];
  /** False when anything is wrong, also where it was reported for another tool. */
  isSound = true;

  /** @param adopted problems of DTOs that were reported already, whichever tool reached them. */
  constructor(
    private readonly place: DeclarationPlace,
    private readonly adopted: Set<DeclarationProblem>,
  ) {}

  /** Reports the problems of a DTO, once for each DTO, with the tool that reaches it. */
  adopt(problems: readonly DeclarationProblem[]): void {
    const { tool, file } = this.place;
    for (const problem of problems.filter((one) => !this.adopted.has(one))) {
      this.adopted.add(problem);
      const place = {
        ...problem.place,
        ...(tool === undefined ? {} : { tool }),
        ...(file === undefined ? {} : { file }),
      };
      this.problems.push({ ...problem, place });
    }
    this.isSound &&= problems.length === 0;
  }

  report(code: DeclarationProblemCode, message: string, mend: string): void {
    this.isSound = false;
    this.problems.push({ code, place: this.place, message, mend });
  }

  /** Takes a name and a version that follow the rules; otherwise reports them. */
  identity(declared: DeclaredTool): { readonly name: string; readonly version: string } {
    for (const problem of [checkName(declared.name), checkVersion(declared.version)]) {
      if (problem !== undefined) this.report(problem.code, problem.message, problem.mend);
    }
    const { name, version } = declared;
    return {
      name: typeof name === 'string' ? name : '',
      version: typeof version === 'string' ? version : '',
    };
  }

  /** Takes the option that a tool cannot do without. */
  description(declared: DeclaredTool): string {
    const { description } = declared;
    if (typeof description === 'string' && description.trim() !== '') return description;
    this.report('missing_option', 'there is no description', 'Say what the tool does and when to use it.');
    return '';
  }

  optionalText(declared: DeclaredTool, option: 'title' | 'owner' | 'compensation'): string | undefined {
    const value = declared[option];
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.report('illegal_option', `${option} is not a text`, 'Give a text, or leave it out.');
    return undefined;
  }

  optionalBound(declared: DeclaredTool, option: 'timeoutMs' | 'maxResultBytes'): number | undefined {
    const value = declared[option];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    this.report(
      'illegal_option',
      `${option} is not a positive integer`,
      'Give a positive integer, or leave it out.',
    );
    return undefined;
  }

  deprecated(declared: DeclaredTool): boolean | string {
    const { deprecated = false } = declared;
    if (typeof deprecated === 'boolean' || typeof deprecated === 'string') return deprecated;
    this.report(
      'illegal_option',
      'deprecated is neither a boolean nor a text',
      'Give true, or what to use instead.',
    );
    return false;
  }

  /** Takes the name of a tool, on tools that have an action to take back. */
  compensation(declared: DeclaredTool, { kind }: SideEffectDeclaration): string | undefined {
    const compensation = this.optionalText(declared, 'compensation');
    if (compensation !== undefined && kind === 'none') {
      const mend = 'Leave compensation out, or declare the side effect.';
      this.report('illegal_option', 'compensation is given, and there is no action to take back', mend);
    }
    return compensation;
  }

  idempotencyKey(declared: DeclaredTool): ((input: unknown) => string) | undefined {
    const { idempotencyKey: make } = declared;
    if (make === undefined) return undefined;
    if (typeof make === 'function') return (input) => toKey(make(input));
    this.report('illegal_option', 'idempotencyKey is not a function', 'Give a function of the input.');
    return undefined;
  }

  mapError(declared: DeclaredTool): ErrorMapping | undefined {
    const { mapError: map } = declared;
    if (map === undefined) return undefined;
    if (typeof map === 'function') return (error, call) => map(error, call);
    this.report('illegal_option', 'mapError is not a function', 'Give a function of the error and the call.');
    return undefined;
  }

  /** The name of the method that previews calls: of a service as declared, of a class tool always `preview`. */
  previewMember(declared: DeclaredTool, prototype: object, isMethod: boolean): string | undefined {
    const { preview } = declared;
    if (!isMethod) {
      if (preview !== undefined) {
        const mend = 'Leave it out, and name the method preview.';
        this.report('illegal_option', 'preview is an option of methods of a service', mend);
      }
      return typeof memberOf(prototype, 'preview') === 'function' ? 'preview' : undefined;
    }
    if (preview === undefined) return undefined;
    if (typeof preview === 'string' && typeof memberOf(prototype, preview) === 'function') return preview;
    const mend = "Name a method of the same class: preview: 'previewRefund'.";
    this.report('illegal_option', 'preview names no method of the class', mend);
    return undefined;
  }

  knownOptions(declared: DeclaredTool): void {
    for (const option of Object.keys(declared).filter((one) => !OPTIONS.includes(one))) {
      this.report(
        'illegal_option',
        `@Tool has no option "${option}"`,
        `Its options are ${OPTIONS.join(', ')}.`,
      );
    }
  }

  scopes(declared: readonly unknown[] | undefined): readonly string[] | undefined {
    if (declared === undefined) return undefined;
    const isScope = (scope: unknown): scope is string => typeof scope === 'string' && SCOPE_TOKEN.test(scope);
    const scopes = declared.filter(isScope);
    if (scopes.length < declared.length) {
      this.report(
        'illegal_option',
        `@Scopes holds what is not a scope: ${declared
          .filter((one) => !isScope(one))
          .map(show)
          .join(', ')}`,
        'Write scopes as "orders:read", without spaces.',
      );
    }
    return Object.freeze([...new Set(scopes)]);
  }

  sideEffect(declared: DeclaredSideEffect | undefined): SideEffectDeclaration {
    if (declared === undefined) {
      return { kind: 'destructive', idempotent: false, openWorld: true, declared: false };
    }
    const kind = KINDS.find((one) => one === declared.kind);
    const { idempotent = false, openWorld = false, ...unknown } = declared.options;
    const isKnown = Object.keys(unknown).length === 0;
    if (!isKnown || kind === undefined || typeof idempotent !== 'boolean' || typeof openWorld !== 'boolean') {
      const mend = "Write @SideEffect('none' | 'write' | 'destructive', { idempotent?, openWorld? }).";
      this.report(
        'illegal_option',
        `@SideEffect was given ${show(declared.kind)} and the options ${show(declared.options)}`,
        mend,
      );
    }
    return {
      kind: kind ?? 'destructive',
      idempotent: idempotent === true,
      openWorld: openWorld === true,
      declared: true,
    };
  }
}
