/** One violation of a rule, with its position. */
export interface Offence {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** A text file of the repository; `path` is relative to its root, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Every match of a pattern as an offence. */
export function offencesOf(file: SourceFile, pattern: RegExp, message: string): Offence[] {
  return [...file.text.matchAll(pattern)].map((match) => ({
    path: file.path,
    line: lineAt(file.text, match.index),
    message,
  }))
}

/** The line number, from 1, of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Whether a file belongs to the tests, as code, table (`*.rows.ts`) or `*.fixture.ts`: tests may import across directions. */
export function isTest(path: string): boolean {
  return /\.(test|rows|fixture)\.ts$/.test(path) || path.startsWith('test/') || path.startsWith('bench/')
}
