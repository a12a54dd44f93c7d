/**
 * `toolcrib audit permissions`, of an application whose names are hostile.
 * Invariant: no name breaks a form of the report, steers a terminal or hides a character.
 */
import type { ToolSpec } from 'toolcrib';
import { GRANTS, TOOLS, tool } from '../../audit/permissions/planted';
import { makeWorkspace, toolkitOf, type Workspace } from '../workspace';
import { fromCsv } from './csv';

let specs: readonly ToolSpec[] = TOOLS;
let desk: Workspace;
beforeAll(() => {
  desk = makeWorkspace(() => toolkitOf(...specs));
});
afterAll(() => desk.remove());

describe('no name breaks the report', () => {
  const EVIL = [
    'a | b',
    'a\n| b | c |\n# d',
    'a\r\n\r\n- b',
    '\u001b[2J\u001b]0;title\u0007',
    '\u009b31m',
    '`a` ``b',
    'a\\|b',
    '<script>alert(1)</script>',
    '[a](https://evil.test)',
    '![a](https://evil.test)',
    '\u202egnp.exe',
    'a\u200bb',
    '"a","b"',
    '=HYPERLINK("x")',
    ' =1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '＝1',
  ];

  async function reportOf(evil: string, ...more: readonly string[]) {
    specs = [
      ...TOOLS,
      tool('orders.evil', 'destructive', {
        description: evil,
        owner: evil,
        scopes: [evil],
        deprecated: evil,
      }),
    ];
    const principals = [...GRANTS.principals, { id: evil, scopes: [evil, `${evil}2`], roles: [evil] }];
    desk.write(
      'evil.json',
      JSON.stringify({ roles: { [evil]: [evil] }, principals, approvalScopes: [evil] }),
    );
    const { stdout } = await desk.run(['audit', 'permissions', '--grants', 'evil.json', ...more]);
    return stdout;
  }

  /** What a line is, and how many cells it has. */
  const shapeOf = (line: string) => [/^[#|\s\-*>]*/.exec(line)?.[0], line.split(/(?<!\\)\|/).length];
  const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

  it.each(EVIL)('in Markdown: %j', async (evil) => {
    const text = await reportOf(evil, '--markdown');
    // Where it sorts depends on its text, how many lines of each kind there are does not.
    const kinds = (report: string) => report.split('\n').map(shapeOf).map(String).sort();
    expect(kinds(text)).toEqual(kinds(await reportOf('x'.repeat(9), '--markdown')));
    const withoutCode = text.replace(/(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?<\/code>/g, '');
    expect(withoutCode).not.toMatch(/(?<!\\)<(?!code)|(?<!\\)\]\(|:\/\/evil/);
    expect(text).not.toMatch(unseen);
  });

  it.each(EVIL)('on a terminal: %j', async (evil) => {
    const text = await reportOf(evil);
    expect(text).not.toMatch(unseen);
    expect(text.split('\n')).toHaveLength((await reportOf('x'.repeat(9))).split('\n').length);
  });

  it.each(EVIL)('in CSV: %j', async (evil) => {
    const rows = fromCsv(await reportOf(evil, '--csv'));
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    for (const value of rows.flat()) {
      expect(value).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
      expect(value).not.toMatch(unseen);
    }
  });

  it.each(EVIL)('in JSON, which reads back as it is: %j', async (evil) => {
    const text = await reportOf(evil, '--json');
    expect(text).not.toMatch(unseen);
    const { principals } = JSON.parse(text);
    expect(principals.map(({ principal }: { principal: string }) => principal)).toContain(evil);
  });
});
