/**
 * The shapes that are measured, each as a DTO, a zod schema and a check written by hand, with payloads.
 * Invariant: the three forms of a shape accept the same payloads and refuse the same ones.
 */
import { z } from 'zod';
import { handContact, handNote, handOrder, handProfile } from './by-hand';
import { Contact, Note, Order, PLANS, Profile } from './dtos';

/** One shape. */
export interface Shape {
  readonly name: string;
  readonly dto: new () => object;
  /** Left out for the shape that is measured against the check by hand alone. */
  readonly zod?: z.ZodType;
  /** Gives the DTO, or undefined for a payload that is refused. */
  readonly hand: (raw: unknown) => object | undefined;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const zodNote = z.strictObject({ text: z.string().min(1).max(200) });
const zodProfile = z.strictObject({
  name: z.string().min(1).max(80),
  code: z.string().regex(/^[A-Z]{2}-[0-9]{4}$/u),
  age: z.int().min(0).max(150),
  score: z.number().min(0),
  active: z.boolean(),
  plan: z.enum(PLANS),
  note: z.string().max(500).nullish(),
  tags: z.array(z.string()).max(10),
  place: z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }),
  limit: z.int().min(1).nullish(),
  city: z.string().min(1),
  newsletter: z.boolean().nullish(),
});
const zodLine = z.strictObject({
  sku: z.string().regex(/^[a-z]{3}-[0-9]+$/u),
  title: z.string().max(80),
  quantity: z.int().min(1).max(999),
  price: z.number().min(0),
  gift: z.boolean(),
});
const zodOrder = z.strictObject({
  id: z.string().min(1),
  customer: z.string().min(1),
  lines: z.array(zodLine).min(1).max(100),
});

/** Payloads that came as text do, each an object of its own. */
function pool(size: number, make: (index: number) => object): readonly unknown[] {
  return Array.from({ length: size }, (_, index): unknown => JSON.parse(JSON.stringify(make(index))));
}

const note = (index: number) => ({ text: `note ${index} about the delivery` });
const profile = (index: number) => ({
  name: `Name ${index}`,
  code: `AB-${1_000 + index}`,
  age: index,
  score: index * 1.25,
  active: index % 2 === 0,
  plan: PLANS[index % 3],
  ...(index % 4 === 0 ? { note: `note ${index}` } : {}),
  tags: [`t${index}`, 'new', 'eu'],
  place: { lat: index / 2, lon: -index },
  ...(index % 4 < 2 ? { limit: index + 1 } : {}),
  city: `City ${index}`,
  newsletter: index % 3 === 0,
});
const line = (index: number) => ({
  sku: `abc-${index}`,
  title: `Title of ${index}`,
  quantity: (index % 9) + 1,
  price: index * 1.5,
  gift: index % 2 === 0,
});
const order = (index: number) => ({
  id: `order-${index}`,
  customer: `customer-${index}`,
  lines: Array.from({ length: 50 }, (_, at) => line(index * 50 + at)),
});
const contact = (index: number) => ({
  mail: `person${index}@example.com`,
  site: `https://example.com/${index}`,
  id: `6f1c1d1e-0000-4000-8000-${String(index).padStart(12, '0')}`,
  digits: index * 7,
});

const FAULTS: Readonly<Record<string, readonly ((index: number) => object)[]>> = {
  note: [() => ({ text: '' }), () => ({ text: 5 }), () => ({}), (index) => ({ ...note(index), more: 1 })],
  profile: [
    (index) => ({ ...profile(index), age: -1, plan: 'gold' }),
    (index) => ({ ...profile(index), name: 5, tags: ['a', 5], place: { lat: 100, lon: 0 } }),
    (index) => ({ ...profile(index), score: undefined, code: 'x', city: '' }),
    (index) => ({ ...profile(index), more: 1, active: 'yes' }),
  ],
  order: [
    (index) => ({ ...order(index), lines: [...order(index).lines, { ...line(1), quantity: 0 }] }),
    (index) => ({ ...order(index), lines: order(index).lines.map((one) => ({ ...one, price: '5' })) }),
    (index) => ({ ...order(index), id: '', lines: [{ ...line(1), more: 1 }, line(2)] }),
    (index) => ({ ...order(index), lines: [{}, ...order(index).lines] }),
  ],
  contact: [
    (index) => ({ ...contact(index), mail: 'nobody' }),
    (index) => ({ ...contact(index), site: 'no where', mail: 'a@b' }),
    (index) => ({ ...contact(index), id: 'x', digits: 5 }),
    () => ({ mail: 5 }),
  ],
};

function faulty(size: number, of: string): readonly unknown[] {
  const faults = FAULTS[of] ?? [];
  return pool(size, (index) => faults[index % faults.length]?.(index) ?? {});
}

/** The shapes: S one string, M twelve mixed fields, L an order with fifty lines, F with rules after the gate. */
export const SHAPES: readonly Shape[] = [
  { name: 'S', dto: Note, zod: zodNote, hand: handNote, good: pool(64, note), bad: faulty(64, 'note') },
  {
    name: 'M',
    dto: Profile,
    zod: zodProfile,
    hand: handProfile,
    good: pool(64, profile),
    bad: faulty(64, 'profile'),
  },
  { name: 'L', dto: Order, zod: zodOrder, hand: handOrder, good: pool(8, order), bad: faulty(8, 'order') },
  { name: 'F', dto: Contact, hand: handContact, good: pool(64, contact), bad: faulty(64, 'contact') },
];
