import type { Page } from 'playwright-core'
import type { InboxService } from './inbox-service.ts'

const NOT_YET = 'This browser may look, but not decide.'

/** Signs a page in and enrols its key, as a person does once for each browser. */
export async function enrolPage(page: Page, service: InboxService, name: string): Promise<void> {
  await page.goto(service.link())
  await page.getByText(NOT_YET).waitFor()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Code').fill(service.code())
  await page.getByRole('button', { name: 'Enrol this browser' }).click()
  await page.getByText(NOT_YET).waitFor({ state: 'detached' })
}
