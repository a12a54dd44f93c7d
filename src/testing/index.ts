/**
 * What users' own tests import: the contract of a tool, as tests for jest, node:test and their like.
 * Invariant: no test runner is loaded here; the one that runs is handed in.
 */
export type { ContractCases, FailureCase, InvalidCase, TestRunner, ValidCase } from './cases';
export { contractTests } from './contract-tests';
