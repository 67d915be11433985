/** Where somebody decided; the page that people read this on has a name of its own. */
export function surfaceWords(surface: string): string {
  return `in the ${surface === 'web' ? 'inbox' : surface}`
}
