/** Whether to use color on a stream, by flag, environment variables and terminal. */
export function wantsColor(
  env: Readonly<Record<string, string | undefined>>,
  isTty: boolean,
  flag: boolean | undefined,
): boolean {
  if (flag === false) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  return isTty && env['TERM'] !== 'dumb'
}
