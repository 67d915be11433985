import type { TestProject } from 'vitest/node'
import { startPostgres } from './server.ts'

/** One server for all tests of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgres', server.address())
  return () => server.stop()
}
