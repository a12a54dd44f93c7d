/**
 * The review sheet of a tool.
 * Invariant: it says what the tool declares, and no text in it can add a line, a cell or a heading.
 */
import { inputContract, NoInput, type ToolSpec } from 'toolcrib';
import { toSheet } from '../../../src/cli/review/sheet';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { OrderDesk } from '../order-desk';
import { openClasses } from '../workspace';

let specs: readonly ToolSpec[];
beforeAll(async () => {
  specs = (await openClasses(OrderDesk)).registry.list();
});

function sheetOf(name: string): string {
  const spec = specs.find((one) => one.name === name);
  return spec === undefined ? '' : toSheet(spec, []);
}

it('tells facts, fields, rules and questions', () => {
  expect(sheetOf('orders.remind')).toMatchInlineSnapshot(`
"# orders.remind@2.1.0

Send a reminder by e-mail

|  |  |
| --- | --- |
| name | orders.remind |
| version | 2.1.0 |
| model name | orders_remind |
| title | Remind a customer |
| owner | OrderDesk |
| scopes | orders:write |
| side effect | write, reaches other systems |
| deprecated | yes: use orders.notify |
| time limit | 2000 ms |
| output limit | the application's |
| declared by | OrderDesk.remind |

## Input

| field | type | presence | rules | description | examples |
| --- | --- | --- | --- | --- | --- |
| \`order_id\` | string | required | \`6 to 20 characters\`, \`pattern ^ORD-[0-9]{4}$\` | Reference of the order | \`"ORD-1234"\` |
| \`email\` | string | required | \`3 to 254 characters\` | Where to send the reminder. Rule: email must be an email. | \`"ann@example.com"\` |
| \`times\` | integer | optional, default \`1\` | \`≥ 1\`, \`≤ 3\` | How often to remind | \`2\` |

## Output

Not declared.

## Rules that the schema does not state

They are enforced all the same.

- input \`#/properties/email\`, \`isEmail\`: email must be an email

## What to look at

- [ ] Name and description: do they say when to call it, and when not?
- [ ] A repeated call acts again: what happens when a model calls it twice?
- [ ] It has no idempotencyKey: is the id of the call enough to tell a repetition?
- [ ] It reaches other systems: which data leave, and can what comes back carry instructions?
- [ ] All of orders:write are required: is that the least that fits?
- [ ] The output is not declared: what may the model get to see?
- [ ] Some rules are not in the schema: are their words clear enough for a model?
- [ ] It is deprecated: does the description say what to use instead?
"
`);
});

it('tells nested fields, and of no fields', () => {
  const sheet = sheetOf('orders.lookup');
  expect(sheet).toContain(
    '| `parcels[].weight_g` | integer | required | `≥ 1`, `≤ 30000` | What it weighs, in grams | `500` |\n',
  );
  expect(sheet).not.toContain('## Rules that');
  expect(sheetOf('desk.caller')).toContain('## Input\n\nNo fields.\n');
  expect(sheetOf('desk.caller')).toContain('| `the whole` | string |');
});

/** How a line begins, and how many bars GitHub would see in it. */
function shapeOf(line: string): readonly unknown[] {
  return [line.slice(0, 2).trim(), line.replace(/\\[!-/:-@[-`{-~]/g, '').split('|').length];
}

it.each([
  ['x |`\n# Head\n\n- [ ] <img src=x> [a](b) *b* \u001b[2J'],
  ['x a\\|b'],
  ['x a\\\\|``b`\\'],
  ['x </code> | é &amp; &#124;'],
])('lets no text change its structure: %j', (evil) => {
  const lines = (text: string): readonly string[] => {
    const field = { type: 'string', description: text, pattern: text, examples: [text], default: text };
    const schema = { type: 'object', description: text, properties: { [text]: field } };
    const validatorOnlyRules = [{ schemaPath: text, rule: text, text }];
    const input = { ...inputContract(NoInput), schema, validatorOnlyRules };
    const words = { description: text, owner: text, title: text, deprecated: text };
    return toSheet(makeSpec('a.b', '1.0.0', { ...words, input }), []).split('\n');
  };
  const hostile = lines(evil);
  expect(hostile.map(shapeOf)).toEqual(lines('x').map(shapeOf));
  const withoutCode = hostile
    .map((line) => line.replace(/(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?<\/code>/g, ''))
    .join('');
  expect(withoutCode).not.toMatch(/(?<!\\)</);
  expect(withoutCode).not.toContain('\u001b');
});
