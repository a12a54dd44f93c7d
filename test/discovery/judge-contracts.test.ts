/**
 * How a tool comes by its input and its output.
 * Invariant: explicit wins, and what cannot be inferred is a problem, never a schema that takes nothing.
 */
import { IsInt, IsString } from 'class-validator';
import { type Class, discoverTools, type JsonSchema, NoInput, Tool, type ToolContext } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';
import { declareMethod, declareTool } from '../fixtures/untyped-declarations';

class GreetInput {
  @IsString() name!: string;
}
class OtherInput {
  @IsInt() count!: number;
}
class Unruly {
  name = 'no rule';
}
interface Shape {
  readonly name: string;
}
const base = { name: 'j.greet', version: '1.0.0', description: 'd' };

async function inputOf(cls: Class): Promise<readonly string[]> {
  const [spec] = await discoverTools({ classes: [cls] });
  return Object.keys(spec?.input.schema.properties ?? {});
}

async function refusalOf(cls: Class): Promise<readonly string[]> {
  return codesOf(await rejectionOf(discoverTools({ classes: [cls] })));
}

async function outputOf(options: object): Promise<JsonSchema | undefined> {
  const cls = declareTool(
    { ...base, ...options },
    class Answers {
      execute(): void {}
    },
  );
  return (await discoverTools({ classes: [cls] }))[0]?.output.schema;
}

describe('the input of a method', () => {
  it('is the class of its first parameter, where the compiler emits it', async () => {
    class Service {
      @Tool(base)
      greet(input: GreetInput, _context: ToolContext): string {
        return input.name;
      }
    }
    expect(await inputOf(Service)).toEqual(['name']);
  });

  it('is what @Tool names, whatever the compiler emitted', async () => {
    class Service {
      greet(): void {}
    }
    Reflect.defineMetadata('design:paramtypes', [GreetInput], Service.prototype, 'greet');
    declareMethod({ ...base, input: OtherInput }, Service, 'greet');
    expect(await inputOf(Service)).toEqual(['count']);
  });

  it('is empty and closed where it takes no parameter', async () => {
    class Service {
      @Tool(base)
      greet(): void {}
    }
    const [spec] = await discoverTools({ classes: [Service] });
    expect(spec?.input.schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(await inputOf(Service)).toEqual([]);
    expect((await spec?.input.parse({ name: 'x' }))?.ok).toBe(false);
  });

  it.each<[string, unknown]>([
    ['an interface or a union', Object],
    ['a list', Array],
    ['a text', String],
    ['a number', Number],
    ['a date', Date],
    ['a function type, as import type leaves it', Function],
    ['a promise', Promise],
    ['null', null],
  ])('is input_not_inferred where the compiler emitted %s', async (_what, type) => {
    class Service {
      greet(_input: unknown): void {}
    }
    Reflect.defineMetadata('design:paramtypes', [type], Service.prototype, 'greet');
    declareMethod(base, Service, 'greet');
    expect(await refusalOf(Service)).toEqual(['input_not_inferred']);
  });

  it('is input_not_inferred for an interface, compiled', async () => {
    class Service {
      @Tool(base)
      greet(input: Shape): string {
        return input.name;
      }
    }
    expect(await refusalOf(Service)).toEqual(['input_not_inferred']);
  });

  it('is not taken from the method that it overrides', async () => {
    class Parent {
      @Tool(base)
      greet(input: GreetInput): string {
        return input.name;
      }
    }
    class Child extends Parent {
      override greet(input: GreetInput): string {
        return input.name;
      }
    }
    declareMethod(base, Child, 'greet');
    expect(await refusalOf(Child)).toEqual(['input_not_inferred']);
  });
});

describe('a compiler that emits no parameter types', () => {
  it('DIS-03: gets an error that names the method and the option, and no empty schema', async () => {
    class Service {
      greet(input: GreetInput): string {
        return input.name;
      }
    }
    declareMethod(base, Service, 'greet');
    const problems = await rejectionOf(discoverTools({ classes: [Service] }));
    expect(problems).toMatchObject([
      { code: 'input_not_inferred', place: { class: 'Service', member: 'greet', tool: 'j.greet' } },
    ]);
    expect(problems[0]?.mend).toContain('input:');
  });

  it('DIS-03: gets the same tool when the input is named', async () => {
    class Compiled {
      @Tool({ ...base, output: String })
      greet(input: GreetInput): string {
        return input.name;
      }
    }
    class Bare {
      greet(input: GreetInput): string {
        return input.name;
      }
    }
    const decorate = Tool({ ...base, input: GreetInput, output: String });
    const descriptor: TypedPropertyDescriptor<(input: GreetInput) => string> | undefined =
      Object.getOwnPropertyDescriptor(Bare.prototype, 'greet');
    if (descriptor !== undefined) decorate(Bare.prototype, 'greet', descriptor);
    const [[compiled], [bare]] = await Promise.all([
      discoverTools({ classes: [Compiled] }),
      discoverTools({ classes: [Bare] }),
    ]);
    expect(bare?.input.schema).toEqual(compiled?.input.schema);
    expect(bare?.output.schema).toEqual(compiled?.output.schema);
    expect(await bare?.input.parse({ name: 5 })).toMatchObject({ ok: false });
  });

  it('DIS-03: gets no empty schema for a parameter with a default, which a function’s length leaves out', async () => {
    class Service {
      greet(input: GreetInput = new GreetInput()): string {
        return input.name;
      }
    }
    declareMethod(base, Service, 'greet');
    expect(await refusalOf(Service)).toEqual(['input_not_inferred']);
  });

  it('DIS-03: gets no empty schema for a rest parameter', async () => {
    class Service {
      greet(...inputs: GreetInput[]): number {
        return inputs.length;
      }
    }
    declareMethod(base, Service, 'greet');
    expect(await refusalOf(Service)).toEqual(['input_not_inferred']);
  });

  it('DIS-03: does not need the names of classes, which minifiers change', async () => {
    const [One, Two] = [GreetInput, OtherInput].map((input) => {
      const cls = declareTool(
        { ...base, name: input === GreetInput ? 'j.one' : 'j.two', input },
        class a {
          execute(): void {}
        },
      );
      Object.defineProperty(cls, 'name', { value: 'a' });
      return cls;
    });
    const specs = await discoverTools({ classes: [One, Two].flatMap((cls) => cls ?? []) });
    expect(specs.map(({ input }) => Object.keys(input.schema.properties ?? {}))).toEqual([
      ['name'],
      ['count'],
    ]);
  });

  it('DIS-05: gets an error for undefined, which is what a circular import leaves', async () => {
    class Service {
      greet(_input: unknown): void {}
    }
    Reflect.defineMetadata('design:paramtypes', [undefined, Object], Service.prototype, 'greet');
    declareMethod(base, Service, 'greet');
    const problems = await rejectionOf(discoverTools({ classes: [Service] }));
    expect(problems).toMatchObject([
      { code: 'input_not_inferred', place: { class: 'Service', member: 'greet' } },
    ]);
  });
});

describe('the input of a class tool', () => {
  it('is what @Tool names, and without it empty', async () => {
    class Named {
      execute(): void {}
    }
    class Empty {
      execute(): void {}
    }
    expect(await inputOf(declareTool({ ...base, input: GreetInput }, Named))).toEqual(['name']);
    expect(await inputOf(declareTool(base, Empty))).toEqual([]);
    expect(await inputOf(declareTool({ ...base, input: NoInput }, class Explicit extends Empty {}))).toEqual(
      [],
    );
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'GreetInput'],
    ['an instance', new GreetInput()],
    ['a function that gives the class', () => GreetInput],
    ['a list of a class', [GreetInput]],
    ['String', String],
    ['Object', Object],
    ['Array', Array],
    ['Date', Date],
    ['Map', Map],
  ])('is an illegal_option if it is %s', async (_what, input) => {
    class Named {
      execute(): void {}
    }
    expect(await refusalOf(declareTool({ ...base, input }, Named))).toEqual(['illegal_option']);
  });

  it('reports what is wrong with the DTO, once for all tools that name it', async () => {
    const classes = ['j.one', 'j.two'].map((name) =>
      declareTool(
        { ...base, name, input: Unruly },
        class Named {
          execute(): void {}
        },
      ),
    );
    const problems = await rejectionOf(discoverTools({ classes }));
    expect(problems).toMatchObject([
      { code: 'property_without_rule', place: { class: 'Unruly', member: 'name' } },
    ]);
  });
});

describe('the output', () => {
  it('has the schema of what was declared, and none if nothing was', async () => {
    expect(await outputOf({})).toBeUndefined();
    expect(await outputOf({ output: Number })).toMatchObject({ type: 'number' });
    expect(await outputOf({ output: String })).toMatchObject({ type: 'string' });
    expect(await outputOf({ output: Boolean })).toMatchObject({ type: 'boolean' });
    expect(await outputOf({ output: GreetInput })).toMatchObject({ type: 'object' });
    expect(await outputOf({ output: [GreetInput] })).toMatchObject({ type: 'array' });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'string'],
    ['an empty list', []],
    ['a list of two', [GreetInput, OtherInput]],
    ['a list of Number', [Number]],
    ['a list of a list', [[GreetInput]]],
    ['Date', Date],
    ['Object', Object],
    ['an arrow function', () => GreetInput],
    ['an instance', new GreetInput()],
  ])('is an illegal_option if it is %s', async (_what, output) => {
    const cls = declareTool(
      { ...base, output },
      class Answers {
        execute(): void {}
      },
    );
    expect(await refusalOf(cls)).toEqual(['illegal_option']);
  });

  it('reports what is wrong with the DTO', async () => {
    await expect(outputOf({ output: [Unruly] }).catch((error: unknown) => error)).resolves.toMatchObject({
      problems: [{ code: 'property_without_rule', place: { class: 'Unruly' } }],
    });
  });
});
