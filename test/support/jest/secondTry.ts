// On a busy machine n8n's editor loses a click now and then. What fails twice is a fault; the first failure is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
