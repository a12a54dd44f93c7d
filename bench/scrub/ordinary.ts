/**
 * Ordinary results and messages, which have to come out as they went in.
 * Invariant: none holds a secret, an address or a card; each is of a form that real systems write.
 */
import type { JsonValue } from 'toolcrib';
import type { Random } from './random';

/** Makes one ordinary text. */
type Maker = (random: Random) => string;

const date = (r: Random): string =>
  `${r.whole(2019, 2027)}-${String(r.whole(1, 12)).padStart(2, '0')}-${String(r.whole(1, 28)).padStart(2, '0')}`;
const price = (r: Random): string => `${r.whole(1, 9_999)}.${r.text('digits', 2)}`;
const word = (r: Random): string =>
  r.pick(['order', 'parcel', 'invoice', 'customer', 'report', 'ticket', 'basket', 'shipment', 'refund']);

/** Ids, hashes and numbers. */
const IDS: readonly Maker[] = [
  (r) => `${word(r)} ${r.uuid()} was not found`,
  (r) => `commit ${r.text('hex', 40)} is not on main`,
  (r) => `sha256:${r.text('hex', 64)} does not match`,
  (r) => `md5 ${r.text('hex', 32)}`,
  (r) => `integrity sha512-${r.base64(64)}`,
  (r) => `ETag: "${r.text('hex', 32)}"`,
  (r) => `order 4111-${r.whole(2019, 2027)}-${r.text('digits', 4)} is closed`,
  (r) => `SKU ${r.text('upperDigits', 3)}-${r.text('digits', 5)}-${r.text('upperDigits', 2)} is out of stock`,
  (r) =>
    `${r.pick(['cus', 'pi', 'ch', 'in', 'evt', 'prod', 'price'])}_${r.text('alphanumeric', 24)} does not exist`,
  (r) => `ObjectId("${r.text('hex', 24)}")`,
  (r) => `trace 00-${r.text('hex', 32)}-${r.text('hex', 16)}-01`,
  (r) => `request id req_${r.text('lowerDigits', 24)}`,
  (r) => `ULID 01${r.text('bech32', 24)}`,
  (r) => `snowflake 1${r.text('digits', 18)} in shard ${r.whole(1, 64)}`,
  (r) => `EAN 400${r.text('digits', 10)}, batch ${r.text('digits', 6)}`,
  (r) => `IMEI 35${r.text('digits', 13)}`,
  (r) => `ISBN 978-3-16-${r.text('digits', 6)}-${r.whole(0, 9)}`,
  (r) => `invoice ${r.text('digits', 10)} of ${date(r)}`,
  (r) => `tracking 1Z${r.text('upperDigits', 16)}`,
  (r) => `tracking number 00${r.text('digits', 18)}`,
  (r) => `phone +49 30 ${r.text('digits', 8)}`,
  (r) => `at 1${r.text('digits', 12)} ms and 1${r.text('digits', 15)} µs`,
  (r) => `arn:aws:iam::${r.text('digits', 12)}:role/orders-${r.text('lower', 6)}`,
  (r) => `projects/p-${r.text('digits', 6)}/locations/europe-west1/keyRings/main/cryptoKeys/orders`,
  (r) => `container ${r.text('hex', 12)} exited with ${r.whole(1, 255)}`,
  (r) => `gid://shop/Order/${r.text('digits', 13)}`,
  (r) => `iVBORw0KGgo${r.text('base64', 60)}== is not a picture`,
  (r) => `colour #${r.text('hex', 6)} and ${r.text('hex', 8)}`,
  (r) => `mac 02:${r.text('hex', 2)}:${r.text('hex', 2)}:${r.text('hex', 2)}:00:0${r.whole(1, 9)}`,
  (r) => `2001:db8::${r.text('hex', 4)} and 10.0.${r.whole(0, 255)}.${r.whole(1, 254)}:8080`,
];

/** What programs say. */
const TECHNICAL: readonly Maker[] = [
  (r) => `connect ECONNREFUSED 127.0.0.1:${r.whole(1_024, 65_535)}`,
  (r) =>
    `GET https://api.example.com/v${r.whole(1, 4)}/${word(r)}s?page=${r.whole(1, 99)}&sort=-created failed: 503`,
  (r) => `getaddrinfo ENOTFOUND db-${r.text('lower', 5)}.internal`,
  (r) => `Unexpected token ${r.pick(['<', '}', 'u'])} in JSON at position ${r.whole(0, 999)}`,
  (r) => `Unexpected token: name (${word(r)})`,
  (r) => `tokens used: ${r.whole(10, 99_999)}; max_tokens: ${r.pick(['1024', '4096'])}; keyboard=us`,
  (r) =>
    `{"prompt_tokens":${r.whole(1, 9_999)},"completion_tokens":${r.whole(1, 999)},"nextPageToken":"${r.text('alphanumeric', 24)}"}`,
  (r) => `duplicate key value violates unique constraint "pk_${word(r)}_${r.text('lower', 8)}"`,
  (r) => `Key (${word(r)}_id)=(${r.whole(1, 99_999)}) already exists.`,
  (r) => `relation "${word(r)}s_${r.whole(2_019, 2_027)}" does not exist`,
  (r) => `task-live-update-${r.whole(1, 99)} and risk_test_suite_${r.whole(1, 99)} failed`,
  (r) =>
    `orders.lookup@${r.whole(0, 9)}.${r.whole(0, 20)}.${r.whole(0, 9)}-${r.pick(['rc.one', 'beta.dev', 'next.x'])} is not registered`,
  (r) => `/password: password must be longer than or equal to ${r.whole(8, 20)} characters`,
  () => '/apiKey: must be a string; /token: should not be empty; /items/0/secret: Unknown property',
  () =>
    'Invalid arguments for login.check: /password: too short; /secret: Pflichtfeld. Correct them and call again.',
  (r) => `There is no tool ${word(r)}s.find. Call one of the tools that were offered.`,
  (r) => `${word(r)}s.write requires ${word(r)}s:write, which the caller does not hold.`,
  (r) => `the password must have ${r.whole(8, 16)} characters and the token has expired`,
  () => '{"password":"no 2FA yet","token":"is not v2"} password="must be at least 8 to 16 long"',
  () => 'password is required, secret: missing, token=null, apiKey: undefined',
  () => 'Basic authentication is off; Bearer tokens are not taken; Token expired yesterday',
  (r) =>
    `    at Orders.find (/srv/app/node_modules/@scope/pkg@${r.whole(1, 9)}.${r.whole(0, 9)}.0/dist/index.js:${r.whole(1, 999)}:${r.whole(1, 99)})`,
  (r) =>
    `https://unpkg.com/react@${r.whole(16, 19)}.${r.whole(0, 3)}.0/umd/react.js and https://medium.example/@ann/post-${r.whole(1, 999)}`,
  (r) => `git@github.com:acme/${word(r)}s.git at ${r.text('hex', 7)}`,
  (r) => `assets/logo@${r.whole(2, 3)}x.png (${r.whole(1, 900)} kB)`,
  (r) => `C:\\data\\${word(r)}\\key-${r.whole(1, 99)}.txt, line ${r.whole(1, 999)}: expected "=" or ":"`,
  (r) => `retry after ${r.whole(1, 60)} s; limit=${r.whole(10, 999)}; monkey=ape; turkey: bird; hockey=ice`,
  (r) => `sort_key=created_at, primary_key: id, foreign key ${word(r)}_id, partition key=${word(r)}`,
  (r) => `PWD=/srv/${word(r)}, using password: NO, pass: ${r.whole(1, 99)}, fail: ${r.whole(0, 9)}`,
  (r) => `auth.token requires token:${r.pick(['read', 'write', 'rotate'])}, which the caller does not hold.`,
  () => 'Missing credentials: AWS_ACCESS_KEY_ID; credentials: include; csrf: disabled',
  (r) => `git+ssh://git@github.com/acme/${word(r)}.git and s3://bucket/${word(r)}@${r.whole(1, 9)}.txt`,
  (r) => `cron "0 ${r.whole(0, 23)} * * 1-5" next at ${date(r)}T0${r.whole(0, 9)}:00:00.000Z`,
  (r) => `SELECT id, name FROM ${word(r)}s WHERE id = $1 AND total > ${price(r)}`,
  (r) => `-----BEGIN CERTIFICATE-----\n${r.text('base64', 64)}\n-----END CERTIFICATE-----`,
  (r) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.text('base64', 43)} is not allowed`,
  (r) =>
    `flight LH${r.whole(100, 999)} ${r.text('upperDigits', 6)} seat ${r.whole(1, 40)}${r.pick(['A', 'F'])}`,
  (r) => `ratio 0.${r.text('digits', 17)}, mean ${r.whole(1, 9)}.${r.text('digits', 15)}e-${r.whole(2, 9)}`,
];

/** Prose in several languages. */
const PROSE: readonly Maker[] = [
  (r) => `The ${word(r)} costs $${price(r)} and ships on ${date(r)}.`,
  (r) => `We could not find a ${word(r)} with that reference; try again after ${r.whole(1, 24)}:00.`,
  (r) =>
    `Only ${r.whole(1, 99)} of ${r.whole(100, 999)} are left: a basic set, two bearer bonds, a secret garden guide.`,
  (r) =>
    `Die Bestellung ${r.text('digits', 8)} vom ${r.whole(1, 28)}.${r.whole(1, 12)}.2026 kostet ${r.whole(1, 999)},${r.text('digits', 2)} €.`,
  (r) => `Das Kennwort: bitte ändern Sie es vor dem ${r.whole(1, 28)}. Mai.`,
  (r) => `La commande n° ${r.text('digits', 6)} n'existe pas ; vérifiez l'identifiant.`,
  (r) =>
    `El pedido ${r.text('upperDigits', 7)} llegará el ${r.whole(1, 28)} de marzo a las ${r.whole(1, 23)}:30.`,
  (r) => `Заказ № ${r.text('digits', 7)} не найден: проверьте номер.`,
  (r) => `ご注文 ${r.text('upperDigits', 8)} は ${r.whole(1, 12)}月${r.whole(1, 28)}日 に届きます。`,
  (r) => `订单 ${r.text('digits', 12)} 不存在，请检查后重试。`,
  (r) => `الطلب رقم ${r.text('digits', 6)} غير موجود`,
  (r) => `می‌خواهم سفارش ${r.text('digits', 5)} را ببینم`,
  (r) => `주문 ${r.text('digits', 9)}을(를) 찾을 수 없습니다.`,
  (r) => `ऑर्डर ${r.text('digits', 6)} नहीं मिला, क्‍या आप फिर कोशिश करेंगे?`,
  (r) => `Team 👨‍👩‍👧 rated it ${r.whole(1, 5)} ⭐️ on ${date(r)} ❤️‍🔥`,
  (r) => `Encomenda ${r.text('digits', 6)}: preço ${price(r)}, cartão terminado em ${r.text('digits', 4)}.`,
];

/** Makes an ordinary message. */
export function ordinaryText(random: Random): string {
  return random.pick(random.pick([IDS, TECHNICAL, PROSE]))(random);
}

/** Makes an ordinary value, as a result or the detail of a failure has it. */
export function ordinaryValue(random: Random): JsonValue {
  return {
    id: random.uuid(),
    sku: `${random.text('upperDigits', 3)}-${random.text('digits', 5)}`,
    hash: random.text('hex', 40),
    total: Number(price(random)),
    tokensUsed: random.whole(1, 99_999),
    passwordLength: random.whole(8, 64),
    hasPassword: random.next() < 0.5,
    tokenType: 'Bearer',
    key: `${word(random)}_${random.whole(1, 999)}`,
    author: 'Ann Lee',
    keyboard: 'us',
    note: ordinaryText(random),
    lines: [{ text: ordinaryText(random), count: random.whole(1, 9) }, { missing: ['orders:read'] }],
    shippedAt: `${date(random)}T10:00:00.000Z`,
  };
}
