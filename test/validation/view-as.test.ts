/**
 * Getters and methods of a DTO that read a plain row.
 * Invariant: they find the other members of their class, and neither the row nor any prototype is changed.
 */
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import { type Class, outputContract } from 'toolcrib';
import { viewAs } from '../../src/validation/view-as';

class Priced {
  @IsInt() net!: number;
  get tax(): number {
    return this.net / 5;
  }
  doubled(value: number): number {
    return value * 2;
  }
}
class Invoice extends Priced {
  @Expose() @IsInt() get gross(): number {
    return this.net + (this.tax || 0);
  }
  @Expose() @IsInt() twice(): number {
    return this.doubled?.(this.gross) ?? 0;
  }
}

async function written(output: unknown, cls: Class = Invoice): Promise<unknown> {
  const outcome = await outputContract({ kind: 'class', cls }).parse(output);
  return outcome.ok ? outcome.value : outcome.violations.map(({ path, rule }) => `${path} ${rule}`);
}

it.each([
  ['a literal', { net: 100 }],
  ['a row without a prototype', Object.assign(Object.create(null), { net: 100 })],
  ['a frozen row', Object.freeze({ net: 100 })],
  ['an instance', Object.assign(new Invoice(), { net: 100 })],
])('read the others of their class: %s', async (_case, row) => {
  expect(await written(row)).toEqual({ net: 100, gross: 120, twice: 240 });
});

it('read the members of an entity of another class, its private ones through its own getters', async () => {
  class Entity {
    readonly net = 100;
    readonly #rate = 10;
    get tax(): number {
      return this.net / this.#rate;
    }
  }
  expect(await written(new Entity())).toEqual({ net: 100, gross: 110, twice: 220 });
});

it('prefer what the row itself holds', async () => {
  class Kept {
    @IsInt() net!: number;
    get rate(): number {
      return 1;
    }
    @Expose() @IsInt() get due(): number {
      return this.net * this.rate;
    }
  }
  const row = Object.defineProperty({ net: 100 }, 'rate', { value: 3 });
  expect(await written(row, Kept)).toEqual({ net: 100, due: 300 });
});

it('keep what they store to themselves', async () => {
  class Counted {
    @IsString() name!: string;
    @Exclude() cached?: string;
    @Expose() @IsString() get label(): string {
      this.cached ??= `#${this.name}`;
      this.name = 'changed';
      return this.cached;
    }
  }
  const row = { name: 'Ann' };
  expect(await written(row, Counted)).toEqual({ name: 'Ann', label: '#Ann' });
  expect(row).toEqual({ name: 'Ann' });
});

it('see values before they are transformed', async () => {
  class Sum {
    @Transform(({ value }) => String(value), { toPlainOnly: true }) @IsString() cents!: number;
    @Expose() @IsInt() get half(): number {
      return this.cents / 2;
    }
  }
  expect(await written({ cents: 8 }, Sum)).toEqual({ cents: '8', half: 4 });
});

it('that throw are refused where they stand', async () => {
  class Failing {
    @IsInt() id!: number;
    @Expose() @IsInt() get other(): number {
      throw new Error('no');
    }
  }
  expect(await written({ id: 1 }, Failing)).toEqual(['/other isJson']);
});

describe('a view', () => {
  it('runs no setter and no getter, and takes __proto__ for a name', () => {
    const no = jest.fn();
    class Guarded {
      set net(_value: number) {
        no();
      }
    }
    const row = JSON.parse('{"net":1,"__proto__":{"admin":true}}');
    Object.defineProperty(row, 'late', { get: no, enumerable: true });
    const view = viewAs(Guarded, row);
    expect(no).not.toHaveBeenCalled();
    expect(Object.getPrototypeOf(view)).toBe(Guarded.prototype);
    expect('admin' in view).toBe(false);
    expect(view).toHaveProperty('net', 1);
  });

  it('ends where a proxy makes up its prototypes', () => {
    const endless: object = new Proxy({}, { getPrototypeOf: () => new Proxy(endless, {}) });
    expect(viewAs(Priced, endless)).toBeInstanceOf(Priced);
  });
});
