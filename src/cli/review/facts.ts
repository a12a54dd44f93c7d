/**
 * What holds for a tool as a whole, in words.
 * Invariant: what the author left out is told too, with what follows from it.
 */
import type { ToolSpec } from '../../contract/tool';

/** The scopes that a call needs, in words. */
export function scopesInWords({ scopes }: ToolSpec): string {
  if (scopes === undefined) return 'not decided: nobody may call';
  return scopes.length === 0 ? 'none: anyone may call' : scopes.join(', ');
}

/** What a call does to the world, in words. */
export function sideEffectInWords({ sideEffect }: ToolSpec): string {
  const { kind, idempotent, openWorld, declared } = sideEffect;
  return [
    declared ? kind : `${kind} (assumed: not declared)`,
    ...(idempotent ? ['idempotent'] : []),
    ...(openWorld ? ['reaches other systems'] : []),
  ].join(', ');
}

/** Whether a tool is deprecated, and what to use instead. */
export function deprecationInWords({ deprecated }: ToolSpec): string {
  return typeof deprecated === 'string' ? `yes: ${deprecated}` : deprecated ? 'yes' : 'no';
}

/** The facts of a tool, each with its name. */
export function factsOf(spec: ToolSpec): readonly (readonly [name: string, fact: string])[] {
  return [
    ['name', spec.name],
    ['version', spec.version],
    ['model name', spec.modelName],
    ...(spec.title === undefined ? [] : [['title', spec.title] as const]),
    ['owner', spec.owner ?? 'nobody'],
    ['scopes', scopesInWords(spec)],
    ['side effect', sideEffectInWords(spec)],
    ...(spec.compensation === undefined ? [] : [['taken back by', spec.compensation] as const]),
    ['deprecated', deprecationInWords(spec)],
    ['time limit', spec.timeoutMs === undefined ? "the application's" : `${spec.timeoutMs} ms`],
    [
      'output limit',
      spec.maxResultBytes === undefined ? "the application's" : `${spec.maxResultBytes} bytes`,
    ],
    ['declared by', `${spec.source.class}.${spec.source.member}`],
  ];
}
