/**
 * `toolcrib list`: every version of every tool, one a line.
 * Invariant: the order is that of names and versions.
 */
import type { ToolSpec } from '../../contract/tool';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { deprecationInWords, scopesInWords, sideEffectInWords } from '../review/facts';
import { toJsonText, toTable } from '../text';

const HEAD = ['KEY', 'MODEL NAME', 'SCOPES', 'SIDE EFFECT', 'OWNER', 'DEPRECATED'];

function toEntry({ key, modelName, scopes, sideEffect, owner, deprecated }: ToolSpec): object {
  return {
    key,
    modelName,
    scopes: scopes ?? null,
    sideEffect: sideEffect.kind,
    owner: owner ?? null,
    deprecated,
  };
}

function toRow(spec: ToolSpec): readonly string[] {
  const { key, modelName, owner = 'nobody' } = spec;
  return [key, modelName, scopesInWords(spec), sideEffectInWords(spec), owner, deprecationInWords(spec)];
}

/** Prints the tools: a table, or with `json` an array. Null scopes: nobody may call. */
export function list({ registry }: OpenToolkit, { json }: { readonly json: boolean }, io: Io): number {
  const specs = registry.list();
  io.stdout(json ? toJsonText(specs.map(toEntry)) : toTable([HEAD, ...specs.map(toRow)]));
  return 0;
}
