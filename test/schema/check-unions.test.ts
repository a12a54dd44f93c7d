/**
 * Discriminated unions, from the declaration to the hydrated instance.
 * Invariant: a value is the DTO that its tag names, and is held to that DTO alone; an unknown tag is refused.
 */
import { Type } from 'class-transformer';
import {
  IsArray,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { type Class, inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, dtoWith } from '../fixtures/dto-with';
import { compileStrictly, expectSound } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, validatorVerdict } from '../fixtures/verdicts';

class Channel {
  @IsIn(['email', 'sms']) kind!: string;
}
class EmailChannel extends Channel {
  @IsEmail() to!: string;
}
class SmsChannel extends Channel {
  @IsString() phone!: string;
  @IsOptional() @IsInt() retries?: number;
}

const subTypes = [
  { name: 'email', value: EmailChannel },
  { name: 'sms', value: SmsChannel },
];
const aChannel = Type(() => Channel, {
  keepDiscriminatorProperty: true,
  discriminator: { property: 'kind', subTypes },
});

class Notify {
  @IsDefined() @ValidateNested() @aChannel channel!: EmailChannel | SmsChannel;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @aChannel copies?: (EmailChannel | SmsChannel)[];
}

const EMAIL = { kind: 'email', to: 'ann@example.org' };
const SMS = { kind: 'sms', phone: '+390612345678' };

describe('a discriminated union', () => {
  it('is shown as one of its DTOs, each with its own tag', () => {
    const { schema } = inputContract(Notify);
    expectSound(schema);
    expect(schema.properties).toMatchObject({
      channel: {
        type: 'object',
        oneOf: [
          { $ref: '#/$defs/EmailChannel', properties: { kind: { const: 'email' } }, required: ['kind'] },
          { $ref: '#/$defs/SmsChannel', properties: { kind: { const: 'sms' } }, required: ['kind'] },
        ],
      },
    });
    const admits = compileStrictly(schema);
    expect(admits({ channel: EMAIL })).toBe(true);
    expect(admits({ channel: { ...SMS, kind: 'email' } })).toBe(false);
  });

  it('becomes an instance of the DTO that the tag names', async () => {
    const raw = { channel: SMS, copies: [EMAIL, SMS] };
    const { channel, copies } = await parsedValue(Notify, raw);
    expect(channel).toBeInstanceOf(SmsChannel);
    expect(copies?.map((one) => one.constructor)).toEqual([EmailChannel, SmsChannel]);
    expect(await validatorVerdict(Notify, JSON.parse(JSON.stringify(raw)))).toBe('accepts');
  });

  it.each([
    ['an unknown tag', { kind: 'fax' }],
    ['no tag', {}],
    ['the name of a member of every object', { kind: 'constructor' }],
    ['a tag that is no text', { kind: 1 }],
  ])('with %s is refused at the tag', async (_, channel) => {
    expect(await refusalOf(Notify, { channel })).toEqual(['/channel/kind isIn']);
    expect(await refusalOf(Notify, { channel: EMAIL, copies: [EMAIL, channel] })).toEqual([
      '/copies/1/kind isIn',
    ]);
  });

  it.each([[[]], ['email'], [null], [5]])('that is no object is refused: %p', async (channel) => {
    expect(await refusalOf(Notify, { channel })).toEqual(['/channel nestedValidation']);
  });

  it('reports what is wrong with the DTO that the tag names, and with no other', async () => {
    expect(await refusalOf(Notify, { channel: { kind: 'sms', to: 'x', retries: 'many' } })).toEqual([
      '/channel/phone isDefined',
      '/channel/retries isInt',
      '/channel/to whitelistValidation',
    ]);
    expect(await refusalOf(Notify, { channel: { kind: 'email', to: 'x' } })).toEqual(['/channel/to isEmail']);
  });

  it('does not hide what is wrong beside it', async () => {
    expect(await refusalOf(Notify, { channel: { kind: 'fax' }, copies: [{ kind: 'sms' }], x: 1 })).toEqual([
      '/channel/kind isIn',
      '/copies/0/phone isDefined',
      '/x whitelistValidation',
    ]);
  });

  it('of which one holds another is told apart at each level', async () => {
    class Leaf {
      @IsIn(['leaf']) is!: string;
      @IsInt() n!: number;
    }
    class Branch {
      @IsIn(['branch']) is!: string;
      @ValidateNested({ each: true }) @inner() parts!: object[];
    }
    function inner(): PropertyDecorator {
      return Type(() => Object, {
        keepDiscriminatorProperty: true,
        discriminator: {
          property: 'is',
          subTypes: [
            { name: 'leaf', value: Leaf },
            { name: 'branch', value: Branch },
          ],
        },
      });
    }
    const cls = dtoWith(ValidateNested(), inner());
    const deep = { is: 'branch', parts: [{ is: 'branch', parts: [{ is: 'leaf', n: 1 }] }] };
    expect(await accepts(cls, { v: deep })).toBe(true);
    const bad = { is: 'branch', parts: [{ is: 'branch', parts: [{ is: 'leaf', n: 'x' }, { is: 'twig' }] }] };
    expect(await refusalOf(cls, { v: bad })).toEqual([
      '/v/parts/0/parts/0/n isInt',
      '/v/parts/0/parts/1/is isIn',
    ]);
  });
});

it('a union within unions is checked once a level, whatever its depth', async () => {
  // Filled below, since its classes refer to each other.
  const subTypes: { name: string; value: new () => object }[] = [];
  const aTerm = () =>
    Type(() => Object, { keepDiscriminatorProperty: true, discriminator: { property: 'op', subTypes } });
  class And {
    @IsIn(['and']) op!: string;
    @ValidateNested({ each: true }) @aTerm() parts!: object[];
  }
  class Or {
    @IsIn(['or']) op!: string;
    @ValidateNested({ each: true }) @aTerm() parts!: object[];
  }
  class Is {
    @IsIn(['is']) op!: string;
    @IsString() field!: string;
  }
  subTypes.push({ name: 'and', value: And }, { name: 'or', value: Or }, { name: 'is', value: Is });
  const cls = dtoWith(ValidateNested(), aTerm());
  const nest = (leaf: object): object => {
    let term = leaf;
    for (let level = 0; level < 28; level += 1) term = { op: level % 2 === 0 ? 'and' : 'or', parts: [term] };
    return term;
  };
  expect(await accepts(cls, { v: nest({ op: 'is', field: 'a' }) })).toBe(true);
  expect(await refusalOf(cls, { v: nest({ op: 'is', field: 1 }) })).toEqual([
    expect.stringMatching(/\/field isString$/),
  ]);
});

class Untagged {
  @IsString() to!: string;
}
class Misnamed {
  @IsIn(['post']) kind!: string;
}
class Conditional {
  @ValidateIf(() => true) @IsString() kind!: string;
}

const unionOf = (value: Class, kept = true): Decorators => [
  ValidateNested(),
  Type(() => Channel, {
    keepDiscriminatorProperty: kept,
    discriminator: { property: 'kind', subTypes: [{ name: 'email', value: value as never }] },
  }),
];

describe('a union that cannot be told apart is refused', () => {
  it.each([
    ['a DTO without the tag', unionOf(Untagged)],
    ['a DTO that does not take its own name', unionOf(Misnamed)],
    ['a tag under a condition', unionOf(Conditional)],
    ['a tag that class-transformer deletes', unionOf(EmailChannel, false)],
    [
      'no DTO',
      [ValidateNested(), Type(() => Channel, { discriminator: { property: 'kind', subTypes: [] } })],
    ],
    ['a union that nothing checks', [aChannel, IsDefined()]],
  ] as const)('%s', (_, decorators) => {
    expect(problemsOf(() => inputContract(dtoWith(...decorators)))).toMatchObject([
      { code: 'unsupported_type', place: { class: 'Made', member: 'v' } },
    ]);
  });
});
