import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'

/** INVARIANT: L10, folders that are searched for tests. */
const MAX_FOLDERS = 100
const TEST_FILE = /(?:^|\/)(?:[^/]*[.\-_]test|test-[^/]*|test)\.[cm]?[jt]s$/
const IN_TEST_FOLDER = /(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/

/** The files that `node --test` runs: those named, or all that look like tests. Why not, if they can't be found. */
export async function nodeTests(
  paths: readonly string[],
  folder: string,
  reader: ProjectReader,
): Promise<ProjectFile[] | string> {
  const names = paths.length > 0 ? paths : await testNames(folder, reader)
  if (typeof names === 'string') return names
  const files: ProjectFile[] = []
  for (const name of names) {
    const reading = await reader.read(name, folder)
    if (reading.kind !== 'file') return reading.kind === 'absent' ? `\`${name}\` does not exist` : reading.why
    files.push(reading)
  }
  return files
}

async function testNames(folder: string, reader: ProjectReader): Promise<readonly string[] | string> {
  const waiting = ['']
  const found: string[] = []
  for (let count = 0; waiting.length > 0; count++) {
    const at = waiting.shift() ?? ''
    const names = count > MAX_FOLDERS ? null : await reader.names(at === '' ? '.' : at, folder)
    if (names === null) return 'the folders with its tests can’t be listed'
    for (const name of names) {
      const path = `${at}${name}`
      if (name.endsWith('/')) {
        if (name !== 'node_modules/') waiting.push(path)
      } else if (TEST_FILE.test(path) || IN_TEST_FOLDER.test(path)) found.push(path)
    }
  }
  return found
}
