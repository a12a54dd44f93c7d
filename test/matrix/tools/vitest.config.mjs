/**
 * vitest as it comes, for a folder whose tsconfig.json turns decorators on.
 * Invariant: nothing of the package or its peers is compiled anew.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/main.spec.ts'], globals: true } });
