/**
 * What stands before an HTTP handler and tells who is calling.
 * Invariant: whoever passes has shown credentials; a gate that cannot judge them lets nobody through.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';

/** Judges the credentials of requests. */
export interface Gate {
  /** Whether a path is one of its documents. */
  serves(pathname: string): boolean;
  /** A document of its own; undefined: the request asks for none. */
  metadata(request: Request): Response | undefined;
  /** Who is calling, or the answer that refuses. */
  authenticate(
    request: Request,
  ): Promise<{ readonly principal: Principal; readonly authInfo: AuthInfo } | Response>;
}
