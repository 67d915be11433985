import type { Page } from 'playwright-core'

const NOT_YET = 'This browser can view calls but not decide.'

/** Supplies sign-in links and enrolment codes. */
interface Entrance {
  link(): string | Promise<string>
  code(): string
}

/** Signs a page in and enrols its key, like a person in a new browser. */
export async function enrolPage(page: Page, service: Entrance, name: string): Promise<void> {
  await page.goto(await service.link())
  await page.getByText(NOT_YET).waitFor()
  await openEnrolment(page)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Code').fill(service.code())
  await page.getByRole('button', { name: 'Enroll this browser' }).click()
  await page.getByText(NOT_YET).waitFor({ state: 'detached' })
}

/** Expands the enrolment form, which is collapsed on phones. */
export async function openEnrolment(page: Page): Promise<void> {
  const fold = page.locator('.enrol-fold:not([open]) > summary')
  if ((await fold.count()) > 0) await fold.click()
}
