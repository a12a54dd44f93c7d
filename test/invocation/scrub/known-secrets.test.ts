/**
 * Secrets that the application names.
 * Invariant: they leave in no error and no log, in whatever form a text writes them, and no option says one.
 */
import { ToolError } from 'toolcrib';
import { Scrubber } from '../../../src/invocation/scrub';
import { runOnce, toolkitRunning } from '../../fixtures/recorded-toolkit';
import { makeUntyped } from '../../fixtures/untyped-declarations';

const SECRET = 'violet "Anchor"/ridge+41';

it.each([
  ['as it stands', SECRET],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in JSON', JSON.stringify(SECRET)],
  ['in Base64', Buffer.from(SECRET).toString('base64')],
])('a value is masked %s', async (_how, form) => {
  const thrown = new ToolError({
    code: 'refused',
    message: `cannot start ${form} now`,
    retryable: false,
    detail: { note: form, [form]: 1 },
    cause: new Error(form),
  });
  const { result, log } = await runOnce(() => Promise.reject(thrown), { redact: { values: [SECRET] } });
  expect(result).toMatchObject({
    success: false,
    error: { message: expect.stringMatching(/^cannot start .*now$/) },
  });
  expect(JSON.stringify([result, log])).not.toMatch(/violet|Anchor|dmlvbGV0/);
});

it.each([
  ['lower case in a URL', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
  ['a form', new URLSearchParams({ '': SECRET }).toString().slice(1)],
  ['a path', encodeURI(SECRET)],
  ['JSON that escapes slashes', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['Base64 for URLs', Buffer.from(SECRET).toString('base64url')],
])('a value is masked as %s writes it', (_how, form) => {
  expect(new Scrubber({ values: [SECRET] }).text(`at ${form}, it`)).toMatch(/^at "?\[redacted\]"?, it$/);
});

it('a value is masked in Base64 of more, wherever it stands there', () => {
  const scrubber = new Scrubber({ values: [SECRET] });
  for (const before of ['', 'a', 'ab', 'abc', 'name:']) {
    const text = Buffer.from(`${before}${SECRET}${before}`).toString('base64');
    const left = Buffer.from(scrubber.text(text).replace('[redacted]', ''), 'base64').toString('latin1');
    expect(scrubber.text(text)).toContain('[redacted]');
    expect(left).not.toMatch(/olet|Anch|ridg/);
  }
});

it('the value of a variable is masked, and one that is unset hides nothing', async () => {
  process.env.TOOLCRIB_TEST_SECRET = 'harbour-lamp';
  try {
    const scrubber = new Scrubber({ environment: ['TOOLCRIB_TEST_SECRET', 'TOOLCRIB_TEST_UNSET'] });
    expect(scrubber.text('the harbour-lamp is out')).toBe('the [redacted] is out');
  } finally {
    delete process.env.TOOLCRIB_TEST_SECRET;
  }
});

it('a longer secret is masked before one that begins it', () => {
  const scrubber = new Scrubber({ values: ['harbour', 'harbour-lamp'] });
  expect(scrubber.text('a harbour-lamp')).toBe('a [redacted]');
});

it('a message is cut after the secret is masked', async () => {
  const thrown = new Error(`${'so it was. '.repeat(45).slice(0, 485)} ${SECRET} and on`);
  const { result } = await runOnce(() => Promise.reject(thrown), { redact: { values: [SECRET] } });
  expect(JSON.stringify(result)).not.toContain('violet');
});

it.each([
  [{ values: ['short'] }],
  [{ values: 'violet-anchor' }],
  [{ values: [123456] }],
  [{ secrets: ['violet-anchor'] }],
])('%j is refused', async (redact) => {
  await expect(makeUntyped(toolkitRunning, () => 1, { redact })).rejects.toThrow(TypeError);
});

it('the error about a short secret does not say it', async () => {
  const made = toolkitRunning(() => 1, { redact: { values: ['wxyz'] } });
  await expect(made).rejects.toThrow(/^(?!.*wxyz)/);
});

it('addresses are kept where the application says so', () => {
  expect(new Scrubber().text('ann@example.org has no account')).toBe('[redacted] has no account');
  const keeping = new Scrubber({ emails: false });
  expect(keeping.text('ann@example.org, password=hunter2')).toBe('ann@example.org, password=[redacted]');
});
