import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What starts browsers, servers and processes, and so takes longest whatever the size of its file; the first first. */
const LONGEST = [
  /\/test\/browser\/|\/examples\//,
  /\/test\/mcp\//,
  /\/test\/faults\//,
  /\/test\/e2e\//,
  /\/test\/security\//,
]

function place({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((folder) => folder.test(moduleId))
  return at === -1 ? LONGEST.length : at
}

/** The order in which test files start: whoever starts long ones last waits for them alone. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
