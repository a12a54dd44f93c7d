/**
 * What tells a tool from another under its name and version.
 * Invariant: it is of what models and reviewers are told of the tool, so that it is the same in all processes.
 */
import { oncePer } from '../../contract/once';
import type { ToolSpec } from '../../contract/tool';
import { describe } from '../../schema/describe';
import { sha256 } from '../call-state';

/** SHA-256 of the definition of a tool in canonical JSON (RFC 8785), in hexadecimal. */
export const definitionHash = oncePer((spec: ToolSpec): string => sha256(describe(spec)));
