/**
 * DTOs that were decorated by a second copy of a library.
 * Invariant: a copy that holds something of a DTO is refused by name, or what it holds counts; a copy that
 * holds nothing of it is none of its business.
 */
import { dirname } from 'node:path';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  type Class,
  type DeclarationProblem,
  discoverTools,
  inputContract,
  outputContract,
  Tool,
} from 'toolcrib';
import { problemsOf, rejectionOf } from '../fixtures/declaration-problems';
import { makeCopies } from '../fixtures/installed-library';

const copies = makeCopies();
afterAll(() => copies.remove());

/** Discovers one tool that takes a DTO. */
function discover(input: Class): Promise<unknown> {
  @Tool({ name: 'copy.take', version: '1.0.0', description: 'Takes a DTO', input })
  class CopyTool {
    execute(_: object): string {
      return '';
    }
  }
  return discoverTools({ classes: [CopyTool] });
}

function folderOf(library: string): string {
  return dirname(require.resolve(`${library}/package.json`));
}

function expectNamed(problems: readonly DeclarationProblem[], library: string, folder: string): void {
  expect(problems).toHaveLength(1);
  const [problem] = problems;
  expect(problem).toMatchObject({ code: 'duplicate_dependency', place: { class: 'Holder' } });
  expect(problem?.message).toContain(`two copies of ${library}`);
  expect(problem?.message).toContain(` in ${folder},`);
  expect(problem?.message).toContain(` in ${folderOf(library)}`);
  expect(problem?.mend).toContain(`npm ls ${library}`);
}

class Part {
  @IsInt() n!: number;
}

describe('HYD-17: a second class-transformer', () => {
  let folder: string;
  let copy: typeof import('class-transformer');
  beforeAll(() => {
    folder = copies.install('class-transformer', 'transformer');
    copy = require(folder);
  });

  it('that holds a @Type is refused, with both folders and the mend, and with nothing else', async () => {
    class Holder {
      @ValidateNested() @copy.Type(() => Part) part!: Part;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-transformer', folder);
  });

  it.each<[string, (library: typeof copy) => PropertyDecorator]>([
    ['@Transform', (library) => library.Transform(({ value }) => value)],
    ['@Expose', (library) => library.Expose()],
    ['@Exclude', (library) => library.Exclude()],
  ])('that holds a %s is refused, as it would be here', async (_, decorator) => {
    class Holder {
      @IsString() @decorator(copy) s!: string;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-transformer', folder);
  });

  it('that hides a member without a rule, or a whole class, is refused too', async () => {
    {
      class Holder {
        @IsString() s!: string;
        @copy.Exclude() secret?: string;
      }
      expectNamed(await rejectionOf(discover(Holder)), 'class-transformer', folder);
    }
    @copy.Exclude()
    class Holder {
      @IsString() s!: string;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-transformer', folder);
  });

  it('counts for instances in an output that was not declared', async () => {
    class Row {
      @copy.Exclude() secret = 'S3CR3T';
      @copy.Expose({ name: 'row_id' }) id = 1;
    }
    const outcome = await outputContract(undefined).parse([new Row()]);
    expect(outcome).toEqual({ ok: true, value: [{ row_id: 1 }] });
  });

  it("counts for what a library's class hides, also under a child that this copy decorates", async () => {
    class Base {
      @copy.Exclude() secret = 'S3CR3T';
      @copy.Transform(({ value }) => `<${value}>`) name = 'Ann';
    }
    class Child extends Base {
      @Expose({ name: 'row_id' }) id = 1;
    }
    @copy.Exclude()
    class Closed {
      @copy.Expose() shown = 1;
      secret = 'S3CR3T';
    }
    class Open extends Closed {
      @Transform(({ value }) => value + 1) override shown = 2;
    }
    const outcome = await outputContract(undefined).parse([new Child(), new Open()]);
    expect(outcome).toEqual({ ok: true, value: [{ name: '<Ann>', row_id: 1 }, { shown: 3 }] });
  });

  it('counts where it was loaded after its tool was discovered', async () => {
    class Known {
      @copy.Exclude() secret = 'S3CR3T';
    }
    const any = outputContract(undefined);
    await any.parse(new Known());
    const late: typeof copy = require(copies.install('class-transformer', 'late'));
    class Row {
      @late.Exclude() secret = 'S3CR3T';
      id = 1;
    }
    expect(await any.parse([new Row(), new Known()])).toEqual({ ok: true, value: [{ id: 1 }, {}] });
  });

  it("that holds a parent's @Type is refused in its children", async () => {
    class Base {
      @ValidateNested() @copy.Type(() => Part) part!: Part;
    }
    class Holder extends Base {
      @IsString() s!: string;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-transformer', folder);
  });

  it('that decorates other classes is none of the problem', async () => {
    class Other {
      @ValidateNested() @copy.Type(() => Part) part!: Part;
    }
    class Holder {
      @ValidateNested() @Type(() => Part) part!: Part;
    }
    expect(Object.keys(new Other())).toEqual(Object.keys(new Holder()));
    await expect(discover(Holder)).resolves.toHaveLength(1);
  });
});

describe('HYD-17: a second class-validator', () => {
  it('of the same version counts, and is told of once', async () => {
    const folder = copies.install('class-validator', 'validator');
    const copy: typeof import('class-validator') = require(folder);
    class Holder {
      @copy.MinLength(2) s!: string;
    }
    class AnotherHolder {
      @copy.MinLength(2) s!: string;
    }
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await discover(Holder);
    await discover(AnotherHolder);
    const told = warn.mock.calls;
    warn.mockRestore();
    expect(told).toEqual([
      [expect.stringContaining(folder), { type: 'ToolcribWarning', code: 'duplicate_dependency' }],
    ]);
    const { parse } = inputContract(Holder);
    expect(await parse({ s: 'ab' })).toMatchObject({ ok: true });
    expect(await parse({ s: 'a' })).toMatchObject({ ok: false, violations: [{ rule: 'minLength' }] });
  });

  it('of another version is refused, since its rules may mean something else', async () => {
    const folder = copies.install('class-validator', 'older-validator', '0.14.4');
    const copy: typeof import('class-validator') = require(folder);
    class Holder {
      @copy.MinLength(2) s!: string;
    }
    const problems = await rejectionOf(discover(Holder));
    expectNamed(problems, 'class-validator', folder);
    expect(problems[0]?.message).toContain('class-validator 0.14.4 in');
  });
});

describe('HYD-17: a second class-validator-jsonschema', () => {
  let folder: string;
  let copy: typeof import('class-validator-jsonschema');
  beforeAll(() => {
    folder = copies.install('class-validator-jsonschema', 'jsonschema');
    copy = require(folder);
  });

  it('that holds the text of a property is refused', async () => {
    class Holder {
      @copy.JSONSchema({ description: 'lost' }) @IsString() s!: string;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-validator-jsonschema', folder);
  });

  it('that holds the text of the class is refused', async () => {
    @copy.JSONSchema({ description: 'lost' })
    class Holder {
      @IsString() s!: string;
    }
    expectNamed(await rejectionOf(discover(Holder)), 'class-validator-jsonschema', folder);
  });

  it('that holds nothing of a class is none of the problem', async () => {
    class Holder {
      @JSONSchema({ description: 'kept' }) @IsString() s!: string;
    }
    await expect(discover(Holder)).resolves.toHaveLength(1);
  });
});

describe('decorators that no installed copy holds, as in a bundle or after a reset', () => {
  let gone: { transformer: typeof import('class-transformer'); validator: typeof import('class-validator') };
  beforeAll(() => {
    jest.isolateModules(() => {
      gone = { transformer: require('class-transformer'), validator: require('class-validator') };
    });
  });

  it('leave a @Type that is refused by its cause, never taken as an open object', async () => {
    class Holder {
      @gone.validator.ValidateNested() @gone.transformer.Type(() => Part) part!: Part;
    }
    const expected = [{ code: 'duplicate_dependency', place: { class: 'Holder' } }];
    expect(problemsOf(() => inputContract(Holder))).toMatchObject(expected);
    expect(await rejectionOf(discover(Holder))).toMatchObject(expected);
  });

  it('leave rules that count', async () => {
    class Holder {
      @gone.validator.MinLength(2) s!: string;
    }
    expect(await inputContract(Holder).parse({ s: 'a' })).toMatchObject({ ok: false });
  });

  it('are not blamed for a @Type that was never written', () => {
    class Holder {
      @ValidateNested() part!: Part;
    }
    expect(problemsOf(() => inputContract(Holder))).toMatchObject([{ code: 'unsupported_type' }]);
  });
});
