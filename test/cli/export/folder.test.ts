/**
 * A folder of exported files.
 * Invariant: after a failure every file in it is what it was before.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareFolder, writeFolder } from '../../../src/cli/export/folder';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES = [
  { name: 'a.json', text: 'é\n' },
  { name: 'b.json', text: 'b\n' },
];
const unusable = expect.objectContaining({ code: 'unusable_folder' });

it('is made, and then holds exactly the files', () => {
  const deep = join(folder, 'new', 'deep');
  writeFolder(deep, FILES);
  expect(readdirSync(deep)).toEqual(['a.json', 'b.json']);
  expect(readFileSync(join(deep, 'a.json'), 'utf8')).toBe('é\n');
});

it('is compared byte by byte, its own kind of files alone', () => {
  writeFolder(folder, FILES);
  writeFileSync(join(folder, 'b.json'), 'b\r\n');
  for (const name of ['old.json', '.hidden.json', 'notes.md', 'json']) writeFileSync(join(folder, name), '');
  expect(compareFolder(folder, [...FILES, { name: 'c.json', text: '' }], '.json')).toEqual({
    current: ['a.json'],
    stale: ['b.json'],
    missing: ['c.json'],
    unexpected: ['.hidden.json', 'old.json'],
  });
});

it('holds nothing when it is not there', () => {
  expect(compareFolder(join(folder, 'nothing'), FILES, '.json').missing).toEqual(['a.json', 'b.json']);
});

it('is refused when it is a file', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  expect(() => compareFolder(file, FILES, '.json')).toThrow(unusable);
  expect(() => writeFolder(file, FILES)).toThrow(unusable);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('is refused when a folder stands where a file shall be', () => {
  mkdirSync(join(folder, 'b.json'));
  expect(() => compareFolder(folder, FILES, '.json')).toThrow(unusable);
});

it('keeps no draft and changes nothing when a file cannot be written', () => {
  writeFolder(folder, [{ name: 'a.json', text: 'before' }]);
  const unwritable = {
    name: 'b.json',
    get text(): string {
      throw new Error('no text');
    },
  };
  expect(() => writeFolder(folder, [...FILES.slice(0, 1), unwritable])).toThrow(unusable);
  expect(readdirSync(folder)).toEqual(['a.json']);
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('before');
});

it('is refused where nobody may write', () => {
  expect(() => writeFolder('/proc/toolcrib', FILES)).toThrow(unusable);
});

it('has its links replaced, and what they lead to left alone', () => {
  const outside = join(folder, 'outside.txt');
  writeFileSync(outside, 'mine');
  const inside = join(folder, 'inside');
  mkdirSync(inside);
  symlinkSync(outside, join(inside, 'a.json'));
  writeFolder(inside, FILES);
  expect(readFileSync(outside, 'utf8')).toBe('mine');
  expect(readFileSync(join(inside, 'a.json'), 'utf8')).toBe('é\n');
});
