import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests that start browsers, servers and processes and therefore take longest, in starting order. Those that wait most
 * run beside those that compute most.
 */
const LONGEST = [/\/test\/(?:browser|e2e|faults|mcp|postgres)\/|\/examples\//, /\/test\/security\//]

function place({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((folder) => folder.test(moduleId))
  return at === -1 ? LONGEST.length : at
}

/** Starts the longest test files first, so that the run does not end with waiting for one of them. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
