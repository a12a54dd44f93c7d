/**
 * `toolcrib check`: what a reviewer would object to.
 * Invariant: it passes only where there are tools and nothing was found in them.
 */

import { type Finding, findFindings } from '../check/find';
import type { OpenToolkit } from '../configuration';
import { findTool } from '../find-tool';
import type { Io } from '../io';
import { oneLine, toJsonText } from '../text';

function placeOf({ place }: Finding): string {
  const declared = [place.class, place.member].filter((part) => part !== undefined).join('.');
  return [place.schemaPath, declared].filter((part) => part !== undefined && part !== '').join(' ');
}

function toText(findings: readonly Finding[]): string {
  const tools = [...new Set(findings.map(({ place }) => place.tool))];
  const groups = tools.map((tool) => {
    const lines = findings
      .filter(({ place }) => place.tool === tool)
      .flatMap((finding) => [
        `  ${finding.code}  ${oneLine(placeOf(finding))}\n`,
        `    ${oneLine(finding.reason)}\n    ${oneLine(finding.mend)}\n`,
      ]);
    return `${oneLine(tool)}\n${lines.join('')}`;
  });
  return groups.join('\n');
}

/**
 * Prints the findings of all tools or of one; 1 when there are any, or no tools at all.
 *
 * @throws CliError `unknown_tool` or `unknown_version`.
 */
export function check(
  toolkit: OpenToolkit,
  { tool, json }: { readonly tool?: string | undefined; readonly json: boolean },
  io: Io,
): number {
  const specs = toolkit.registry.list();
  const key = tool === undefined ? undefined : findTool(toolkit, tool).key;
  // Some findings are about two tools, so all are looked at.
  const findings = findFindings(specs).filter(({ place }) => key === undefined || place.tool === key);
  const checked = key === undefined ? specs.length : 1;
  io.stdout(json ? toJsonText(findings) : toText(findings));
  if (!json) io.stderr(`${findings.length} findings in ${checked} tools\n`);
  return findings.length > 0 || checked === 0 ? 1 : 0;
}
