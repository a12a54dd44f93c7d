/**
 * Effects in LangGraph over its checkpointer in memory.
 * Invariant: what holds for every checkpointer is in the suite.
 */
import { durableSuite } from './suite';

describe('in memory', () => durableSuite('memory'));
