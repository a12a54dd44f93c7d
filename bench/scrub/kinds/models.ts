/**
 * Keys of model providers and of what stands around models.
 * Invariant: each follows its vendor's documented format.
 */
import { type Kind, marked } from '../kind';

/** Kinds of keys around models. */
export const MODEL_KINDS: readonly Kind[] = [
  marked('OpenAI project key', ['sk', '-proj-'], (r) => r.text('base64url', 74) + r.text('alphanumeric', 50)),
  marked(
    'OpenAI legacy key',
    ['sk', '-'],
    (r) => `${r.text('alphanumeric', 20)}T3BlbkFJ${r.text('alphanumeric', 20)}`,
  ),
  marked('OpenAI service key', ['sk', '-svcacct-'], (r) => r.text('base64url', 60)),
  marked('Anthropic key', ['sk', '-ant-', 'api03-'], (r) => `${r.text('base64url', 93)}AA`),
  marked('OpenRouter key', ['sk', '-or-', 'v1-'], (r) => r.text('hex', 64)),
  marked('DeepSeek key', ['sk', '-'], (r) => r.text('hex', 32)),
  marked('Groq key', ['gs', 'k_'], (r) => r.text('alphanumeric', 52)),
  marked('xAI key', ['xa', 'i-'], (r) => r.text('alphanumeric', 80)),
  marked('Perplexity key', ['ppl', 'x-'], (r) => r.text('alphanumeric', 48)),
  marked('Hugging Face token', ['h', 'f_'], (r) => r.text('letters', 34)),
  marked('Replicate token', ['r', '8_'], (r) => r.text('alphanumeric', 37)),
  marked('NVIDIA key', ['nv', 'api-'], (r) => r.text('base64url', 64)),
  marked('Tavily key', ['tv', 'ly-'], (r) => r.text('alphanumeric', 32)),
  marked('LangSmith key', ['lsv', '2_', 'pt_'], (r) => `${r.text('hex', 32)}_${r.text('hex', 10)}`),
  marked('Pinecone key', ['pc', 'sk_'], (r) => `${r.text('alphanumeric', 5)}_${r.text('alphanumeric', 63)}`),
  marked('Jina key', ['ji', 'na_'], (r) => r.text('hex', 32) + r.text('base64url', 28)),
  marked('Fireworks key', ['f', 'w_'], (r) => r.text('alphanumeric', 24)),
  marked('Firecrawl key', ['f', 'c-'], (r) => r.text('hex', 32)),
  marked('E2B key', ['e2', 'b_'], (r) => r.text('hex', 40)),
];
