/**
 * The cases of hydration: failures that people met with systems like this one, by their ids.
 * Invariant: each holds through the contract and, where it matters what the model is told, through a call.
 */
import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  ValidateNested,
} from 'class-validator';
import { createToolkit, inputContract, Scopes, SideEffect, Tool, type ToolResult } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { accepts, parsedValue, refusalOf, violationsIn } from '../fixtures/verdicts';

it('HYD-01: text never becomes a boolean', async () => {
  class DeleteInput {
    @IsUUID() id!: string;
    @IsBoolean() confirm!: boolean;
  }
  const id = '6f1c1d1e-0000-4000-8000-000000000001';
  expect(await refusalOf(DeleteInput, { id, confirm: 'false' })).toEqual(['/confirm isBoolean']);
  class Typed {
    @Type(() => Boolean) @IsBoolean() confirm!: boolean;
  }
  expect(await refusalOf(Typed, { confirm: 'false' })).toEqual(['/confirm isBoolean']);
  expect(await parsedValue(Typed, { confirm: false })).toMatchObject({ confirm: false });
});

it('HYD-02: no value is invented out of another', async () => {
  class RefundInput {
    @IsInt() cents!: number;
    @IsString() note!: string;
  }
  expect(await refusalOf(RefundInput, { cents: '', note: 'x' })).toEqual(['/cents isInt']);
  expect(await refusalOf(RefundInput, { cents: 5, note: { a: 1 } })).toEqual(['/note isString']);
  expect(await refusalOf(RefundInput, { cents: '12abc', note: 'x' })).toEqual(['/cents isInt']);
});

it('HYD-03: an explicit null leaves the default', async () => {
  class ListInput {
    @IsOptional() @IsInt() limit: number = 10;
    @IsOptional() @IsIn(['asc', 'desc']) order: string = 'asc';
  }
  expect(await parsedValue(ListInput, { limit: null, order: null })).toEqual({ limit: 10, order: 'asc' });
  class Nullable {
    @IsIn([null, 'a']) v: string | null = 'a';
  }
  expect(await parsedValue(Nullable, { v: null })).toEqual({ v: null });
});

it('HYD-05: arguments that are no object are invalid input, and no arguments are none', async () => {
  class EchoInput {
    @IsString() text!: string;
  }
  @Tool({ name: 'text.echo', version: '1.0.0', description: 'Echo a text', input: EchoInput })
  @Scopes()
  @SideEffect('none')
  class EchoTool {
    execute({ text }: EchoInput): { text: string } {
      return { text };
    }
  }
  const toolkit = await createToolkit({ discover: { classes: [EchoTool] } });
  const call = (raw: unknown): Promise<ToolResult<unknown>> => toolkit.invoke('text.echo', raw);
  for (const raw of ['hi', 5, true, [{ text: 'a' }], []]) {
    expect(await call(raw)).toMatchObject({
      success: false,
      error: {
        code: 'invalid_input',
        retryable: false,
        detail: { violations: [{ path: '', rule: 'isObject' }] },
      },
    });
  }
  for (const raw of [null, undefined]) {
    expect(await call(raw)).toMatchObject({
      error: { code: 'invalid_input', detail: { violations: [{ path: '/text', rule: 'isDefined' }] } },
    });
  }
  await toolkit.close();
});

it('HYD-07: an unknown or missing discriminator is refused at the tag', async () => {
  class Channel {
    @IsIn(['email', 'sms']) kind!: string;
  }
  class EmailChannel extends Channel {
    @IsString() to!: string;
  }
  class NotifyInput {
    @IsDefined()
    @ValidateNested()
    @Type(() => Channel, {
      keepDiscriminatorProperty: true,
      discriminator: { property: 'kind', subTypes: [{ name: 'email', value: EmailChannel }] },
    })
    channel!: EmailChannel;
  }
  for (const channel of [{ kind: 'fax' }, {}, { kind: 'constructor' }, { kind: 'sms' }]) {
    expect(await refusalOf(NotifyInput, { channel })).toEqual(['/channel/kind isIn']);
  }
  expect(await refusalOf(NotifyInput, { channel: [] })).toEqual(['/channel nestedValidation']);
  const outcome = await inputContract(NotifyInput).parse({ channel: {} });
  expect(violationsIn(outcome)[0]?.message).toContain('email');
});

it('HYD-09: keys that reach for a prototype are refused, at every depth', async () => {
  class In {
    @IsInt() n!: number;
    @IsObject() meta!: object;
  }
  const parse = (text: string) => refusalOf(In, JSON.parse(text));
  expect(await parse('{"n":1,"meta":{},"__proto__":{"isAdmin":true}}')).toEqual([
    '/__proto__ whitelistValidation',
  ]);
  expect(await parse('{"n":1,"meta":{},"constructor":{"prototype":{"isAdmin":true}}}')).toEqual([
    '/constructor whitelistValidation',
  ]);
  expect(await parse('{"n":1,"meta":{"a":[{"__proto__":{"isAdmin":true}}]}}')).toEqual([
    '/meta/a/0/__proto__ whitelistValidation',
  ]);
  expect('isAdmin' in {}).toBe(false);
});

it('HYD-10: an object without a prototype is an object', async () => {
  class In {
    @IsInt() n!: number;
  }
  const bare = Object.assign(Object.create(null), { n: 1 });
  expect(await parsedValue(In, bare)).toBeInstanceOf(In);
});

it('HYD-11: deep nesting is refused by a limit, and the next call works', async () => {
  class Node1 {
    @IsString() id!: string;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Node1) kids?: Node1[];
  }
  let deep: object = { id: 'x' };
  for (let level = 0; level < 10_000; level += 1) deep = { id: 'x', kids: [deep] };
  expect(await refusalOf(Node1, deep)).toEqual([' maxDepth']);
  const circular: { id: string; kids: object[] } = { id: 'x', kids: [] };
  circular.kids.push(circular);
  expect(await refusalOf(Node1, circular)).toEqual([' maxDepth']);
  expect(await accepts(Node1, { id: 'x', kids: [{ id: 'y' }] })).toBe(true);
});

it('HYD-13: a conversion that throws is invalid input, without its words', async () => {
  class LinkInput {
    @Transform(({ value }) => new URL(value)) @IsDefined() url!: URL;
  }
  const outcome = await inputContract(LinkInput).parse({ url: 'http://user:pw@bad host/' });
  expect(violationsIn(outcome)).toMatchObject([{ path: '/url', rule: 'transform' }]);
  expect(JSON.stringify(outcome)).not.toContain('pw');
});

it('HYD-14: a DTO that needs constructor arguments is refused at the start', () => {
  class MoneyInput {
    @IsInt() cents!: number;
    constructor(init: { cents: number }) {
      this.cents = init.cents;
    }
  }
  expect(problemsOf(() => inputContract(MoneyInput))).toMatchObject([
    { code: 'illegal_dto', place: { class: 'MoneyInput' } },
  ]);
});

it('HYD-16: an integer that JSON has rounded is refused', async () => {
  class GetInput {
    @IsInt() id!: number;
  }
  expect(await refusalOf(GetInput, JSON.parse('{"id":9007199254740993}'))).toEqual(['/id isInt']);
  expect(await accepts(GetInput, { id: Number.MAX_SAFE_INTEGER })).toBe(true);
});
