/**
 * What every store does on opening.
 * Invariant: a store that could not be opened holds no connection.
 */

interface Migrating {
  migrate(): Promise<unknown>;
  close(): Promise<void>;
}

/** Migrates a new store where that is asked for. */
export async function opened<S extends Migrating>(
  store: S,
  { migrate }: { readonly migrate?: boolean },
): Promise<S> {
  if (migrate !== true) return store;
  try {
    await store.migrate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
