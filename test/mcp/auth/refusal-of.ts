/**
 * Asks a verifier about a token.
 * Invariant: what is no OAuth error is thrown on, so that a verifier that breaks refuses nothing.
 */
import { OAuthError, type OAuthTokenVerifier } from '@modelcontextprotocol/server';
import { reasonFor } from '../../../src/mcp/auth/refusal';

/** Why a token is refused: our reason, or else the OAuth code; `accepted` where it is not. */
export async function refusalOf(token: string, by: OAuthTokenVerifier): Promise<string> {
  try {
    await by.verifyAccessToken(token);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reasonFor(error) ?? error.code;
  }
}
