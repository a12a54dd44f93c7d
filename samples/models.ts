/**
 * Chooses the model that the agent runs on.
 * Invariant: without a key of a provider nothing is sent anywhere, and a provider's package is loaded only
 * when it is used.
 */
import type { BaseMessage } from '@langchain/core/messages';
import type { StructuredTool } from '@langchain/core/tools';
import { ScriptedModel } from './scripted-model';

/** LangChain's own six would keep a sample without a network waiting for minutes. */
const MAX_RETRIES = 1;

/** The part of a chat model that the agent uses. */
export interface ToolCallingModel {
  bindTools(tools: StructuredTool[]): {
    invoke(messages: BaseMessage[], config?: object): Promise<BaseMessage>;
  };
}

/** OpenAI's or Anthropic's model where there is a key, and otherwise the scripted one. */
export async function chooseModel(): Promise<ToolCallingModel> {
  const { OPENAI_API_KEY, OPENAI_MODEL, ANTHROPIC_API_KEY, ANTHROPIC_MODEL } = process.env;
  if (OPENAI_API_KEY) {
    const { ChatOpenAI } = await import('@langchain/openai');
    return new ChatOpenAI({
      apiKey: OPENAI_API_KEY,
      model: OPENAI_MODEL || 'gpt-5-mini',
      maxRetries: MAX_RETRIES,
    });
  }
  if (ANTHROPIC_API_KEY) {
    const { ChatAnthropic } = await import('@langchain/anthropic');
    return new ChatAnthropic({
      apiKey: ANTHROPIC_API_KEY,
      model: ANTHROPIC_MODEL || 'claude-haiku-4-5',
      maxRetries: MAX_RETRIES,
    });
  }
  return new ScriptedModel();
}
