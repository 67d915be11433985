import { Finds, placeIn, type Runner } from '../reading/runner.ts'
import { namedFile } from './settings-file.ts'

/** `sed -f FILE`: the script as if it were given with `-e`. */
export const seeSedFile: Runner = async ({ part, program, folder, reader }) => {
  const { args } = part
  const at = args.findIndex(({ value }) => value !== null && /^(?:-[nEruzs]*f.*|--file(?:=.*)?)$/s.test(value))
  if (at === -1) return null
  const option = args[at]?.value ?? ''
  const joined = option.startsWith('--') ? option.split('=', 2)[1] : option.replace(/^-[nEruzs]*f/, '') || undefined
  const finds = new Finds()
  const file = await namedFile(joined ?? args[at + 1]?.value ?? null, folder, reader, finds)
  const rest = args.filter((_, index) => index !== at && (joined !== undefined || index !== at + 1))
  if (rest.some(({ value }) => value === null)) finds.opaque.push('its words are not known')
  // Its lines may continue those of the file, or the other way round.
  if (rest.some(({ value }) => /^(?:-[nEruzsi]*e|--e)/.test(value ?? '')))
    finds.opaque.push('sed has more than one script')
  if (file === null) return finds
  const words = rest.flatMap(({ value }) => value ?? [])
  finds.runs.push({
    code: [program, '-e', file.text, ...words],
    origin: placeIn(file, 1),
    cwd: part.cwd,
    text: file.text.trim().slice(0, 200),
  })
  return finds
}
