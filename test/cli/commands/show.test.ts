/**
 * `toolcrib show`.
 * Invariant: with --json it is the very definition that a model gets.
 */
import { OrderDesk } from '../order-desk';
import { openClasses, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

it.each(['orders.remind', 'orders_remind', 'orders.remind@^2', 'orders.remind@2.1.0'])(
  'gives the definition of %s as JSON',
  async (reference) => {
    const toolkit = await openClasses(OrderDesk);
    const { exitCode, json } = await desk.run(['show', reference, '--json']);
    expect(exitCode).toBe(0);
    expect(json()).toEqual(toolkit.describe([OrderDesk, 'remind']));
  },
);

it('tells the facts, the input and the output in words', async () => {
  const { exitCode, stdout } = await desk.run(['show', 'orders.remind']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
"orders.remind@2.1.0: Send a reminder by e-mail

  name          orders.remind
  version       2.1.0
  model name    orders_remind
  title         Remind a customer
  owner         OrderDesk
  scopes        orders:write
  side effect   write, reaches other systems
  deprecated    yes: use orders.notify
  time limit    2000 ms
  output limit  the application's
  declared by   OrderDesk.remind

input
  order_id: string; required; 6 to 20 characters; pattern ^ORD-[0-9]{4}$
      Reference of the order
      for example "ORD-1234"
  email: string; required; 3 to 254 characters
      Where to send the reminder. Rule: email must be an email.
      for example "ann@example.com"
  times: integer; optional; default 1; ≥ 1; ≤ 3
      How often to remind
      for example 2

output
  not declared
"
`);
});

it('tells of nested fields, and of tools without fields', async () => {
  expect((await desk.run(['show', 'orders.lookup'])).stdout).toContain(
    '  parcels[].weight_g: integer; required; ≥ 1; ≤ 30000\n      What it weighs, in grams\n      for example 500\n',
  );
  expect((await desk.run(['show', 'desk.caller'])).stdout).toMatch(
    /input\n {2}no fields\n\noutput\n {2}the whole: string\n$/,
  );
});
