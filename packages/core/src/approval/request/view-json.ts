import type { HeldCallView } from './view.ts'

const written = new WeakMap<HeldCallView, string>()

/**
 * A view as JSON, written out once: it is sealed into its row, and told to every surface a moment later.
 *
 * @example
 * const text = viewJson(view)
 */
export function viewJson(view: HeldCallView): string {
  const known = written.get(view)
  if (known !== undefined) return known
  const json = JSON.stringify(view)
  written.set(view, json)
  return json
}
