/**
 * The head of a trail in a file: what is known of its end, and what is found by it.
 * Invariant: a trail that has records has a head beside it, which is never far behind.
 */
import { readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { verifyAudit } from 'toolcrib/audit';
import { appendAll, eventOf, type TrailFolder, trailFolder } from './trails';

let trail: TrailFolder;
beforeEach(() => {
  trail = trailFolder();
});
afterEach(() => trail.remove());

it('is told by its head, in the API and in the file beside', async () => {
  const audit = await trail.open();
  expect(audit.head).toEqual({ sequence: 0, hash: '0'.repeat(64) });
  await appendAll(audit, 1, 2);
  const { sequence, hash } = audit.head;
  expect(JSON.parse(trail.lines()[1] ?? '')).toMatchObject({ sequence, hash });
  await audit.flush();
  expect(readFileSync(`${trail.file}.head`, 'utf8')).toBe(`2:${hash}\n`);
  await audit.close();
  expect(() => audit.append(eventOf(3))).toThrow(expect.objectContaining({ code: 'closed' }));
});

it('has a head beside it from the first record on, and never one that is more than 10,000 records old', async () => {
  const headOf = () => Number(readFileSync(`${trail.file}.head`, 'utf8').split(':')[0]);
  const audit = await trail.open();
  await audit.append(eventOf(1));
  // No timer has its turn here.
  expect(headOf()).toBe(0);
  for (let number = 2; number <= 21_000; number += 1) {
    void audit.append(eventOf(number));
    if (number % 3_000 === 0) expect(number - headOf()).toBeLessThanOrEqual(10_000);
  }
  await audit.close();
  expect(headOf()).toBe(21_000);
});

it('records its head when it puts a file aside', async () => {
  const audit = await trail.open({ maxBytes: 1_000 });
  for (let number = 1; readdirSync(dirname(trail.file)).every((name) => !/\d{12}/.test(name)); number += 1) {
    void audit.append(eventOf(number));
  }
  expect(readFileSync(`${trail.file}.head`, 'utf8')).toBe(`${audit.head.sequence}:${audit.head.hash}\n`);
  await audit.close();
});

it('is not verified without a head, unless one is given', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 2);
  await audit.close();
  rmSync(`${trail.file}.head`);
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({
    ok: false,
    problems: [{ code: 'no_head', file: trail.file, line: 2, sequence: 2 }],
  });
  await expect(verifyAudit(trail.file, { head: audit.head })).resolves.toMatchObject({ ok: true });
});

it('names the file where everything was cut off', async () => {
  const audit = await trail.open();
  await appendAll(audit, 1, 2);
  await audit.close();
  truncateSync(trail.file, 0);
  await expect(verifyAudit(trail.file)).resolves.toMatchObject({
    problems: [{ code: 'truncated', file: trail.file, line: 0 }],
  });
  await expect(Reflect.apply(verifyAudit, undefined, [])).rejects.toThrow(TypeError);
});

it('does not go on where what it had seen was cut off', async () => {
  const first = await trail.open();
  await appendAll(first, 1, 3);
  await first.close();
  const audit = await trail.open();
  truncateSync(trail.file, 0);
  rmSync(`${trail.file}.head`);
  expect(() => audit.append(eventOf(4))).toThrow(expect.objectContaining({ code: 'truncated' }));
  await audit.close();
});
