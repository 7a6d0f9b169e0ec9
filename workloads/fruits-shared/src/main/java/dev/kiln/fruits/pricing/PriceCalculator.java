package dev.kiln.fruits.pricing;

import dev.kiln.fruits.api.StorePriceView;
import dev.kiln.fruits.model.Store;
import dev.kiln.fruits.model.StorePrice;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.NumberFormat;
import java.util.Currency;
import java.util.Locale;

/** From what is stored (net, in cents) to what a customer is shown: discounted, taxed, written out, in euros. */
final class PriceCalculator {
    private static final Currency EURO = Currency.getInstance("EUR");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private final ReferenceData reference;

    PriceCalculator(ReferenceData reference) {
        this.reference = reference;
    }

    StorePriceView price(StorePrice price) {
        Store store = reference.stores().get(price.getStoreId());
        Currency currency = Currency.getInstance(store.getCurrencyCode());
        BigDecimal net = round(discounted(price), currency);
        BigDecimal tax = round(net.multiply(store.getTaxRate()), currency);
        BigDecimal gross = net.add(tax);
        return new StorePriceView(
                store.getName(),
                store.getCity(),
                currency.getCurrencyCode(),
                net,
                tax,
                gross,
                label(gross, store, currency),
                round(euros(gross, currency), EURO));
    }

    private static BigDecimal discounted(StorePrice price) {
        BigDecimal full = BigDecimal.valueOf(price.getNetCents(), 2);
        BigDecimal part = BigDecimal.valueOf(100L - price.getDiscountPercent());
        return full.multiply(part).divide(HUNDRED, MathContext.DECIMAL64);
    }

    private static String label(BigDecimal amount, Store store, Currency currency) {
        // Made anew for each price: a NumberFormat must not be shared between threads.
        NumberFormat format = NumberFormat.getCurrencyInstance(Locale.forLanguageTag(store.getLanguageTag()));
        format.setCurrency(currency);
        return format.format(amount);
    }

    private BigDecimal euros(BigDecimal amount, Currency own) {
        return amount.divide(reference.perEuro().get(own.getCurrencyCode()), MathContext.DECIMAL64);
    }

    private static BigDecimal round(BigDecimal amount, Currency currency) {
        return amount.setScale(currency.getDefaultFractionDigits(), RoundingMode.HALF_EVEN);
    }
}
