import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the inbox's built files are: shipped beside this command, or built in the repository. */
export function inboxFolder(): string | undefined {
  const places = ['./inbox', '../../web/dist'].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((place) => existsSync(`${place}/index.html`))
}
