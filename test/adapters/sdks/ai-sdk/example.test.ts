import { describeExample } from '../../support/run-example.ts'

describeExample('ai-sdk', import.meta.dirname)
