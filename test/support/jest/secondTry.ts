// On a busy machine n8n's editor loses a click now and then. A failure that comes twice is a fault. The first failure is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
