/**
 * The gate inside a web page: for agent loops that run in the browser.
 * @module
 */

export { type OpenedPageGate, openPageGate, type PageGateOptions } from './open-page-gate.ts'
export type { DeskNews, PageDesk } from './page-desk.ts'
export type { ExportedJournal, PageJournal } from './page-journal.ts'
export type { PagePolicy } from './ports/policy-texts.ts'
export {
  connectPageGate,
  type PageAsker,
  type PagePermit,
  type PageServiceOptions,
  type PageTicket,
} from './service/connect-page-gate.ts'
