/** Whether colours may be used on one stream, as people ask for it by convention. */
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
