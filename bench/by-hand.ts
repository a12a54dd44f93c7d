/**
 * The checks that one would write by hand for the shapes: the floor, and the yardstick that does not depend on
 * how many classes the process has.
 * Invariant: each accepts what its DTO accepts, and makes the DTO.
 */
import { isEmail, isURL, isUUID } from 'class-validator';
import { Contact, isCheckDigit, Line, Note, Order, PLANS, Place, Profile } from './dtos';

type Fields = { readonly [name: string]: unknown };

function isFields(raw: unknown): raw is Fields {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function isText(value: unknown, least: number, most: number): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

function isNumber(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most && Number.isFinite(value);
}

function isInteger(value: unknown, least: number, most: number): value is number {
  return isNumber(value, least, most) && Number.isSafeInteger(value);
}

function isOneOf<T extends string>(value: unknown, values: readonly T[]): value is T {
  return values.some((one) => one === value);
}

/** Checks and makes a note. */
export function handNote(raw: unknown): Note | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) if (key !== 'text') return undefined;
  if (!isText(raw.text, 1, 200)) return undefined;
  const note = new Note();
  note.text = raw.text;
  return note;
}

const PROFILE_KEYS: ReadonlySet<string> = new Set([
  'name',
  'code',
  'age',
  'score',
  'active',
  'plan',
  'note',
  'tags',
  'place',
  'limit',
  'city',
  'newsletter',
]);
const CODE = /^[A-Z]{2}-[0-9]{4}$/u;

function handPlace(raw: unknown): Place | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) if (key !== 'lat' && key !== 'lon') return undefined;
  if (!isNumber(raw.lat, -90, 90) || !isNumber(raw.lon, -180, 180)) return undefined;
  const place = new Place();
  place.lat = raw.lat;
  place.lon = raw.lon;
  return place;
}

function isTags(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= 10 && value.every((tag) => typeof tag === 'string');
}

/** Checks and makes a profile. */
export function handProfile(raw: unknown): Profile | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) if (!PROFILE_KEYS.has(key)) return undefined;
  const { name, code, age, score, active, plan, note, tags, place, limit, city, newsletter } = raw;
  if (!isText(name, 1, 80) || typeof code !== 'string' || !CODE.test(code)) return undefined;
  if (!isInteger(age, 0, 150) || !isNumber(score, 0, Number.MAX_VALUE)) return undefined;
  if (typeof active !== 'boolean' || !isOneOf(plan, PLANS)) return undefined;
  if (note !== undefined && note !== null && !isText(note, 0, 500)) return undefined;
  if (!isTags(tags)) return undefined;
  const at = handPlace(place);
  if (at === undefined) return undefined;
  if (limit !== undefined && limit !== null && !isInteger(limit, 1, Number.MAX_SAFE_INTEGER))
    return undefined;
  if (!isText(city, 1, Number.MAX_SAFE_INTEGER)) return undefined;
  if (newsletter !== undefined && newsletter !== null && typeof newsletter !== 'boolean') return undefined;
  const made = new Profile();
  made.name = name;
  made.code = code;
  made.age = age;
  made.score = score;
  made.active = active;
  made.plan = plan;
  if (typeof note === 'string') made.note = note;
  made.tags = tags.slice();
  made.place = at;
  if (typeof limit === 'number') made.limit = limit;
  made.city = city;
  if (typeof newsletter === 'boolean') made.newsletter = newsletter;
  return made;
}

const SKU = /^[a-z]{3}-[0-9]+$/u;

function handLine(raw: unknown): Line | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) {
    const isKnown =
      key === 'sku' || key === 'title' || key === 'quantity' || key === 'price' || key === 'gift';
    if (!isKnown) return undefined;
  }
  const { sku, title, quantity, price, gift } = raw;
  if (typeof sku !== 'string' || !SKU.test(sku) || !isText(title, 0, 80)) return undefined;
  if (!isInteger(quantity, 1, 999) || !isNumber(price, 0, Number.MAX_VALUE)) return undefined;
  if (typeof gift !== 'boolean') return undefined;
  const line = new Line();
  line.sku = sku;
  line.title = title;
  line.quantity = quantity;
  line.price = price;
  line.gift = gift;
  return line;
}

/** Checks and makes an order. */
export function handOrder(raw: unknown): Order | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) if (key !== 'id' && key !== 'customer' && key !== 'lines') return undefined;
  const { id, customer, lines } = raw;
  if (!isText(id, 1, Number.MAX_SAFE_INTEGER) || !isText(customer, 1, Number.MAX_SAFE_INTEGER))
    return undefined;
  if (!Array.isArray(lines) || lines.length < 1 || lines.length > 100) return undefined;
  const made = new Order();
  made.id = id;
  made.customer = customer;
  made.lines = [];
  for (const one of lines) {
    const line = handLine(one);
    if (line === undefined) return undefined;
    made.lines.push(line);
  }
  return made;
}

/** Checks and makes a contact. */
export function handContact(raw: unknown): Contact | undefined {
  if (!isFields(raw)) return undefined;
  for (const key in raw) {
    if (key !== 'mail' && key !== 'site' && key !== 'id' && key !== 'digits') return undefined;
  }
  const { mail, site, id, digits } = raw;
  if (typeof mail !== 'string' || typeof site !== 'string' || typeof id !== 'string') return undefined;
  if (!isEmail(mail) || !isURL(site) || !isUUID(id)) return undefined;
  if (typeof digits !== 'number' || !isCheckDigit(digits)) return undefined;
  const contact = new Contact();
  contact.mail = mail;
  contact.site = site;
  contact.id = id;
  contact.digits = digits;
  return contact;
}
