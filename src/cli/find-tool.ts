/**
 * Finds the tool that a user names.
 * Invariant: a name, a model name, either with a range, and a key lead to the tool that a call would reach.
 */
import { splitToolReference } from '../contract/names';
import type { ToolSpec } from '../contract/tool';
import { CliError } from './cli-error';
import type { OpenToolkit } from './configuration';

/**
 * Finds a tool by name, `name@range`, key or model name.
 *
 * @throws CliError `unknown_tool`, or `unknown_version` when no version lies in the range.
 */
export function findTool({ registry }: OpenToolkit, reference: string): ToolSpec {
  const { name, version } = splitToolReference(reference);
  const known = registry.list().find((spec) => spec.name === name || spec.modelName === name)?.name;
  if (known === undefined) {
    throw new CliError('unknown_tool', `there is no tool ${reference}. See toolcrib list.`);
  }
  const spec =
    version === undefined
      ? registry.resolve(known)
      : (registry.get(`${known}@${version}`) ?? registry.resolve(known, version));
  if (spec !== undefined) return spec;
  const versions = registry.versions(known).join(', ');
  const range = version ?? 'the default range, which takes no prerelease';
  throw new CliError('unknown_version', `no version of ${known} lies in ${range}. There are ${versions}.`);
}
