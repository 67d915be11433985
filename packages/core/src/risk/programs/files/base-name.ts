/** The last name of a path. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
